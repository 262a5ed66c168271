// The ranks of the relevant documents, and what the preferences make of two rankings. The definitions are rankdiff's.
import { unpacked } from "./dom.js";

export const NOT_RETRIEVED = Infinity;

export class Rankings {
  constructor(data) {
    this.runs = data.runs;
    this.topics = data.topics;
    this.titles = data.titles;
    this.documents = data.documents;
    this.texts = data.texts;
    this.grades = data.grades;
    this.start = unpacked(data.start);
    this.grade = unpacked(data.grade);
    this.rank = unpacked(data.rank);
    this.depths = unpacked(data.depth);
    this.counts = unpacked(data.counts);
    this.measures = new Map(data.measures.map((item) => [item.name, { ...item, values: unpacked(item.values) }]));
    this.given = new Map(data.preferences.map((item) => [item.name, unpacked(item.values)]));
  }

  // How many relevant documents a topic has.
  relevant(topic) {
    return this.start[topic + 1] - this.start[topic];
  }

  // The relevant documents of a topic, each with its grade (a place among the grades) and its rank, 0 if not retrieved.
  documentsOf(run, topic) {
    const found = [];
    const row = run * this.documents.length;
    for (let i = this.start[topic]; i < this.start[topic + 1]; i++) {
      found.push({ index: i, grade: this.grade[i], rank: this.rank[row + i] });
    }
    return found;
  }

  // Ranks by recall level, ascending, of the documents of a grade or better.
  levels(run, topic, least = 0) {
    const ranks = [];
    const row = run * this.documents.length;
    for (let i = this.start[topic]; i < this.start[topic + 1]; i++) {
      if (this.grade[i] >= least) ranks.push(this.rank[row + i] || NOT_RETRIEVED);
    }
    return ranks.sort((a, b) => (a === b ? 0 : a - b));
  }

  depth(run, topic) {
    return this.depths[run * this.topics.length + topic];
  }

  // What a preference, or the difference of a measure, says of a topic; positive where the candidate is better.
  value(what, candidate, baseline, topic) {
    const [ours, theirs] = [candidate, baseline].map((run) => run * this.topics.length + topic);
    const measure = this.measures.get(what);
    if (measure !== undefined) {
      const difference = measure.values[ours] - measure.values[theirs];
      return Number.isNaN(difference) ? null : measure.higher || difference === 0 ? difference : -difference;
    }
    if (this.given.has(what)) return this.givenValue(this.given.get(what), candidate, baseline, topic);
    if (!this.counts[ours] || !this.counts[theirs]) return null;
    return PREFERENCES[what](this, candidate, baseline, topic);
  }

  // Of a preference whose values the page was given, run by run over those that follow.
  givenValue(values, candidate, baseline, topic) {
    const [first, second] = candidate < baseline ? [candidate, baseline] : [baseline, candidate];
    const pair = first * this.runs.length - (first * (first + 1)) / 2 + (second - first - 1);
    const value = values[pair * this.topics.length + topic];
    return Number.isNaN(value) ? null : candidate < baseline || value === 0 ? value : -value;
  }
}

function winner(ours, theirs) {
  return (ours < theirs) - (ours > theirs);
}

// Graded: the users of each grade of the topic want documents of that grade or better, and count by how many those are.
function recallPaired(rankings, candidate, baseline, topic) {
  const grades = new Set(rankings.grade.subarray(rankings.start[topic], rankings.start[topic + 1]));
  let [sum, users] = [0, 0];
  for (const least of grades) {
    const theirs = rankings.levels(baseline, topic, least);
    rankings.levels(candidate, topic, least).forEach((rank, i) => (sum += winner(rank, theirs[i])));
    users += theirs.length;
  }
  return users ? sum / users : 0;
}

// The first and the last recall level (from 0) at which two rankings differ; −1 where none does.
export function decidingLevels(ours, theirs) {
  const differs = (rank, i) => rank !== theirs[i];
  return { first: ours.findIndex(differs), last: ours.findLastIndex(differs) };
}

function lexicographic(end) {
  return (rankings, candidate, baseline, topic) => {
    const [ours, theirs] = [rankings.levels(candidate, topic), rankings.levels(baseline, topic)];
    const level = decidingLevels(ours, theirs)[end];
    return level < 0 ? 0 : winner(ours[level], theirs[level]);
  };
}

const PREFERENCES = { RPP: recallPaired, sgnLP: lexicographic("first"), sgnLR: lexicographic("last") };
