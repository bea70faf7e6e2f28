import { CheerioCrawler, Configuration, log, LogLevel } from 'crawlee'

/** Paths of the pages that crawlee visits with its default settings, in its order. */
export async function crawlWithCrawlee(startUrl: string, maxPages: number): Promise<string[]> {
  log.setLevel(LogLevel.OFF)
  const paths: string[] = []
  const { origin } = new URL(startUrl)
  const crawler = new CheerioCrawler(
    {
      maxRequestsPerCrawl: maxPages,
      maxConcurrency: 4,
      maxRequestRetries: 0,
      async requestHandler({ request, enqueueLinks }) {
        if (paths.length < maxPages) paths.push((request.loadedUrl ?? request.url).slice(origin.length))
        await enqueueLinks()
      },
    },
    new Configuration({ persistStorage: false }),
  )
  await crawler.run([startUrl])
  return paths
}
