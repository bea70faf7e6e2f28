/**
 * Returns a function that loads a value at its first call and keeps it.
 * @param load a rejection is passed on, and the next call loads again
 */
export function loadOnce<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | null = null
  return () =>
    (loading ??= load().catch((error: unknown) => {
      loading = null
      throw error
    }))
}
