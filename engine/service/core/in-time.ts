/** What a promise gives, or `late` does after so long; what it gives or throws afterwards is nobody's concern. */
export function inTime<Value>(promise: Promise<Value>, ms: number, late: () => Value | Promise<Value>): Promise<Value> {
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
