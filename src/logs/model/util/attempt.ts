/** What is worked out, or something else where that throws: where a file is gone, say. */
export function attempt<Value, Otherwise>(work: () => Value, otherwise: Otherwise): Value | Otherwise {
  try {
    return work()
  } catch {
    return otherwise
  }
}
