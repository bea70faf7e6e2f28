import { expect, it } from 'vitest'
import { docsAddress } from './model-docs.ts'

it('leads to the documentation that is configured, else to the page that comes along', () => {
  const about = { productName: 'Clear Way', version: '8.3.1' }
  const helpDocsUrl = 'https://help.example.org/docs/'
  expect(docsAddress({ ...about, helpDocsUrl }, 'scans')).toBe(
    'https://help.example.org/docs/clear%20way/8.3/scans',
  )
  expect(docsAddress({ ...about, helpDocsUrl: null }, 'scans')).toBe('/monitor/docs/scans')
})
