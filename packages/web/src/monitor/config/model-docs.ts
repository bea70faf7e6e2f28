import type { Config } from '@clearway/contract/monitor/config/schema.ts'

type DocsConfig = Pick<Config, 'helpDocsUrl' | 'productName' | 'version'>

/** Returns the URL of a help page: the configured one extended by product, major.minor version and key, or the built-in page. */
export function buildDocsUrl({ helpDocsUrl, productName, version }: DocsConfig, pageKey: string): string {
  if (!helpDocsUrl) return `/monitor/docs/${pageKey}`
  const productSlug = encodeURIComponent(productName.toLowerCase())
  return `${helpDocsUrl.replace(/\/$/, '')}/${productSlug}/${version.split('.').slice(0, 2).join('.')}/${pageKey}`
}
