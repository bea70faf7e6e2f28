import { expect, it } from 'vitest'
import { docsUrlOf } from './model-docs.ts'

it('leads to the documentation that is configured, else to the page that comes along', () => {
  const about = { productName: 'Clear Way', version: '8.3.1' }
  const helpDocsUrl = 'https://help.example.org/docs/'
  expect(docsUrlOf({ ...about, helpDocsUrl }, 'scans')).toBe(
    'https://help.example.org/docs/clear%20way/8.3/scans',
  )
  expect(docsUrlOf({ ...about, helpDocsUrl: null }, 'scans')).toBe('/monitor/docs/scans')
})
