import { expect, it } from "vitest";
import { readMessages } from "./chat-history.ts";

it("messages are read from labelled lines, plain lines and JSON messages", () => {
  const expected = [
    { from: "client", text: "Hi. Is it free?" },
    { from: "company", text: "Yes." },
  ];
  expect(readMessages("[10:32] Customer: Hi.\nIs it free?\n\n**Agent**: Yes.")).toEqual(expected);
  expect(
    readMessages(
      JSON.stringify([
        { role: "user", content: "Hi. Is it free?" },
        { role: "assistant", content: "Yes." },
      ]),
    ),
  ).toEqual(expected);
  expect(readMessages("Is it free?\nYes.")).toEqual([
    { from: null, text: "Is it free?" },
    { from: null, text: "Yes." },
  ]);
});

it("in a chat of two names, the only one who asks for something is the client", () => {
  expect(readMessages("Marco: Can I help you?\nAnna: Hi.\nIs it free?\nMarco: Yes. Anything else?")).toEqual([
    { from: "company", text: "Can I help you?" },
    { from: "client", text: "Hi." },
    { from: "client", text: "Is it free?" },
    { from: "company", text: "Yes. Anything else?" },
  ]);
  const agentAsks =
    "Anna: I need help with Fibra 100.\nMarco: Do you mean Casa?\nAnna: Right.\nMarco: It costs 30 euros.";
  expect(readMessages(agentAsks).map(({ from }) => from)).toEqual([null, null, null, null]);
  const bothAsk = "Marco: What is your order number?\nAnna: 77. Is it free?";
  expect(readMessages(bothAsk).map(({ from }) => from)).toEqual([null, null]);
  expect(readMessages("Is it free?\nPrice: 5 euros.\nColour: blue. More?").map(({ from }) => from)).toEqual([
    null,
    null,
    null,
  ]);
});

it("messages without text, of tools and of the system are left out", () => {
  const parts = [
    { type: "input_text", text: "Hi." },
    { type: "input_image", image_url: "https://norte.example/bill.png" },
    { type: "input_text", text: "Is it free?" },
  ];
  const messages = [
    { role: "system", content: "You are a bot. What do they want?" },
    { role: "user", content: parts },
    { role: "assistant", content: null, tool_calls: [{ id: "1" }] },
    { role: "tool", content: "price: 0", tool_call_id: "1" },
    {
      role: "assistant",
      content: [
        { type: "reasoning", text: "It costs 0." },
        { type: "text", text: "Yes." },
      ],
    },
    { id: 7 },
  ];
  expect(readMessages(JSON.stringify(messages))).toEqual([
    { from: "client", text: "Hi.\nIs it free?" },
    { from: "company", text: "Yes." },
  ]);
  expect(readMessages(JSON.stringify([{ role: "assistant", content: null }]))).toEqual([]);
  expect(readMessages("[]")).toEqual([]);
  expect(readMessages('["Is it free?"]')).toEqual([{ from: null, text: '["Is it free?"]' }]);
});
