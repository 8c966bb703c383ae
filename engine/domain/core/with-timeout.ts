/** The result of a promise, or of `late` after `ms`; a later result or rejection is ignored. */
export function withTimeout<Value>(
  promise: Promise<Value>,
  ms: number,
  late: () => Value | Promise<Value>,
): Promise<Value> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(late()), ms);
    promise.then(
      (value) => {
        clearTimeout(timer);
        resolve(value);
      },
      (error) => {
        clearTimeout(timer);
        reject(error);
      },
    );
  });
}
