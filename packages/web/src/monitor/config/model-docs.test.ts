import { expect, it } from 'vitest'
import { buildDocsUrl } from './model-docs.ts'

it('links to the configured documentation, or to the built-in page', () => {
  const about = { productName: 'Clear Way', version: '8.3.1' }
  const helpDocsUrl = 'https://help.example.org/docs/'
  expect(buildDocsUrl({ ...about, helpDocsUrl }, 'scans')).toBe('https://help.example.org/docs/clear%20way/8.3/scans')
  expect(buildDocsUrl({ ...about, helpDocsUrl: null }, 'scans')).toBe('/monitor/docs/scans')
})
