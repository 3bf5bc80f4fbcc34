/** Work on many things, so many at a time, with the results in their order: what is sent is made only when its turn comes. */
export async function inParallel<Item, Result>(
  items: readonly Item[],
  width: number,
  work: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = []
  let next = 0
  const worker = async (): Promise<void> => {
    for (let at = next++; at < items.length; at = next++) results[at] = await work(items[at])
  }
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, worker))
  return results
}
