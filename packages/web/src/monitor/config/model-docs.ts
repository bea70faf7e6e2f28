import type { Config } from '@clearway/contract/monitor/config/schema.ts'

type About = Pick<Config, 'helpDocsUrl' | 'productName' | 'version'>

/**
 * The URL of a help page: docs URL, product, major.minor version and key, as configured; without other
 * documentation the page that comes with the application.
 */
export function docsUrlOf({ helpDocsUrl, productName, version }: About, key: string): string {
  if (!helpDocsUrl) return `/monitor/docs/${key}`
  const product = encodeURIComponent(productName.toLowerCase())
  return `${helpDocsUrl.replace(/\/$/, '')}/${product}/${version.split('.').slice(0, 2).join('.')}/${key}`
}
