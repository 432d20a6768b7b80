import { expect, test } from "vitest";
import { plainText } from "../evaluation/score-answer.ts";
import { factOfPattern, patternOf } from "./facts.ts";

function states(answer: string, fact: string): boolean {
  return new RegExp(patternOf(fact), "iu").test(plainText(answer));
}

test("an answer states a fact by any of its alternatives, as whole words", () => {
  expect(states("The notice period is **30 days**. [1]", "30 days | thirty days")).toBe(true);
  expect(states("Thirty days, in writing.", "30 days | thirty days")).toBe(true);
  expect(states("It takes 130 days.", "30 days")).toBe(false);
  expect(states("It costs 30 daysish.", "30 days")).toBe(false);
});

test.each([
  ["合同的通知期为30天。", "30天"],
  ["契約の通知期間は30日です。", "30日"],
  ["통지 기간은 30일입니다.", "30일"],
  ["본사는 서울에 있습니다.", "서울"],
  ["ระยะเวลาแจ้งล่วงหน้าคือ 30 วันเท่านั้น", "30 วัน"],
  ["请使用Excel导出。", "Excel"],
  ["Excel로 내보냅니다.", "Excel"],
  ["Notice is given 30days before.", "30"],
  ["It takes 30, not 40.", "30"],
  ["Valid until 31.12.2026.", "2026"],
  ["Due on 30.06.2026.", "30"],
  ["राजधानी दिल्ली है।", "दिल्ली"],
  ["⚠️Deposit ✔️", "Deposit ✔"],
])("%s states %s", (answer, fact) => {
  expect(states(answer, fact)).toBe(true);
});

test.each([
  ["合同的通知期为130天。", "30天"],
  ["통지 기간은 130일입니다.", "30일"],
  ["It takes 300 days.", "30"],
  ["किताबें यहाँ हैं।", "किताब"],
  ["किताब यहाँ है।", "ताब"],
  ["Kündigungsfristen gelten.", "Kündigungsfrist"],
])("%s does not state %s", (answer, fact) => {
  expect(states(answer, fact)).toBe(false);
});

test("a fact is text, not a pattern", () => {
  expect(states("It costs $1.50 (net).", "$1.50 (net)")).toBe(true);
  expect(states("It costs $1x50 (net).", "$1.50 (net)")).toBe(false);
  expect(states("anything", ".*")).toBe(false);
});

test("a pattern becomes its fact again, unless it is a regular expression", () => {
  for (const fact of [
    "30 days | thirty days",
    "$1.50 (net)",
    "a/b | c\\d",
    "über 5 €",
    "30天 | サポート",
    "30",
    "(?!x) | 2",
  ]) {
    expect(factOfPattern(patternOf(fact))).toBe(fact);
  }
  expect(factOfPattern("(?<![\\p{L}\\p{N}])(?:30 days|thirty days)(?![\\p{L}\\p{N}])")).toBe("30 days | thirty days");
  expect(factOfPattern("30 days|thirty days")).toBe("30 days | thirty days");
  expect(factOfPattern("\\d+ days")).toBeNull();
  expect(factOfPattern("thirty|30.days")).toBeNull();
  expect(factOfPattern(patternOf("30 days").replace(" ", "."))).toBeNull();
});
