// Loaded before the code of a process: shifts its clock by the milliseconds in CLOCK_SHIFT_FILE, whenever they change.
import { readFileSync } from "node:fs";

const READ_EVERY_MS = 200;
const RealDate = Date;
let shift = 0;
const now = () => RealDate.now() + shift;

function readShift() {
  try {
    shift = Number(readFileSync(process.env.CLOCK_SHIFT_FILE, "utf8"));
  } catch {
    // not written yet, or this process may not read it
  }
}

function ShiftedDate(...given) {
  if (!new.target) return new RealDate(now()).toString();
  return Reflect.construct(RealDate, given.length === 0 ? [now()] : given, new.target);
}

readShift();
setInterval(readShift, READ_EVERY_MS).unref();
ShiftedDate.prototype = RealDate.prototype;
// own properties, because Next.js copies only those
globalThis.Date = Object.assign(ShiftedDate, { now, parse: RealDate.parse, UTC: RealDate.UTC });
