// The page comes to life: the tables first, then what each part draws.
import { drawBounds, drawFinds, drawMatrix, drawMovers, drawProfile, drawUnjudged } from "./charts.js";
import { dataOf } from "./dom.js";
import { Rankings } from "./ranks.js";
import { saving } from "./save.js";
import { enhanceTables } from "./tables.js";
import { drawTail } from "./tail.js";
import { TopicList } from "./topics.js";

enhanceTables();

const verdict = dataOf("verdict");
if (verdict.profile !== undefined) drawProfile(verdict.profile);
if (verdict.bounds) drawBounds(verdict.bounds);
if (verdict.movers !== undefined) drawMovers(verdict.movers, verdict.names);
if (verdict.matrix !== undefined) drawMatrix(verdict.matrix, verdict.order);

const topicData = dataOf("topics");
const rankings = new Rankings(topicData);
const trust = dataOf("trust");
const followTail = drawTail(rankings);

function follow(candidate, baseline) {
  followTail(candidate, baseline);
  drawUnjudged(trust, [rankings.runs[candidate], rankings.runs[baseline]]);
}

new TopicList(rankings, topicData, follow);
follow(topicData.candidate, topicData.baseline);
drawFinds(dataOf("rare"));
for (const drawing of document.querySelectorAll("figure > .drawing")) {
  if (drawing.querySelector("svg")) drawing.parentElement.append(saving(drawing, drawing.id));
}
document.documentElement.dataset.ready = "true";
