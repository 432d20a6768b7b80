// Loaded before the code of a process: shifts its clock by CLOCK_SHIFT_MS.
const shift = Number(process.env.CLOCK_SHIFT_MS ?? 0);
const RealDate = Date;
const now = () => RealDate.now() + shift;

function ShiftedDate(...given) {
  if (!new.target) return new RealDate(now()).toString();
  return Reflect.construct(RealDate, given.length === 0 ? [now()] : given, new.target);
}

ShiftedDate.prototype = RealDate.prototype;
// own properties, because Next.js copies only those
globalThis.Date = Object.assign(ShiftedDate, { now, parse: RealDate.parse, UTC: RealDate.UTC });
