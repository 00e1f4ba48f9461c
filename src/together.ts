/** Waits for all of it, and only then throws what failed: where it has thrown, nothing goes on behind. */
export const together = async <T extends readonly unknown[]>(
  work: readonly [...{ [K in keyof T]: Promise<T[K]> }],
): Promise<T> => {
  await Promise.allSettled(work);
  return Promise.all(work) as unknown as Promise<T>;
};
