/**
 * Runs a few jobs at the same time. Whenever one ends, the waiting job that comes first in `order` starts.
 * @returns runs a job of that order when a slot is free
 */
export function createSlots(count, order) {
  const waiting = [];
  let free = count;
  const startNext = () => {
    if (free === 0 || waiting.length === 0) return;
    waiting.sort((a, b) => order.indexOf(a.name) - order.indexOf(b.name));
    free--;
    waiting.shift().start();
  };
  return async function inSlot(name, job) {
    await new Promise((start) => {
      waiting.push({ name, start });
      startNext();
    });
    try {
      return await job();
    } finally {
      free++;
      startNext();
    }
  };
}
