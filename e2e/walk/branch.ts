import { expect } from 'vitest'
import type { Suite } from '../product/suite.ts'
import { checkEveryLook, closeMessage } from '../screen/looks.ts'
import { buildFixtureScan } from '../product/results.ts'

const newIssue = {
  url: 'https://preview.example.org/cart',
  rule: 'image-alt',
  severity: 'critical',
  help: 'Images must have alternative text',
  helpUrl: null,
  selector: '.cart > img',
  html: `<img src="/${'long-name-'.repeat(30)}.png">`,
  fix: 'Element does not have an alt attribute',
}
const upload = {
  branch: 'feature/cart',
  commit: '0123456789abcdef0123456789abcdef01234567',
  buildUrl: 'https://ci.example.org/builds/17',
  result: 'failed',
  axeRelease: '4.14.1',
  baselineAxe: '4.14',
  failOn: 'serious',
  totals: { new: 1, axeChanged: 0, known: 12, fixed: 2, notChecked: 1, pages: 8 },
  newIssues: [newIssue],
  otherNewIssues: [{ ...newIssue, rule: 'color-contrast', severity: 'needs review', html: '', selector: 'p' }],
  axeChangedIssues: [],
  unchecked: [{ target: 'https://preview.example.org/slow', reason: 'timeout-generic', detail: 'The page did not load' }],
  notChecked: [{ page: '/slow', rule: 'label', issues: 1 }],
  fixed: [{ page: '/', rule: 'link-name', issues: 2 }],
}

/** Finds the uploaded result of a branch from the overview of its scan, reads it, and deletes it by keyboard. */
export async function browseBranches(suite: Suite): Promise<void> {
  const { page, client, site, open, heading } = suite
  const { id: scan } = await client<{ id: string }>('POST', '/scans', buildFixtureScan('Branches', site.url))
  const scanBefore = await client<object>('GET', `/scans/${scan}`)
  await open(`/scans/${scan}/branches`)
  await page.getByRole('heading', { name: 'No results on branches yet' }).waitFor()
  await checkEveryLook(page)
  await client('POST', `/scans/${scan}/branchRuns`, upload)
  await client('POST', `/scans/${scan}/branchRuns`, { ...upload, branch: 'release', result: 'passed', newIssues: [] })

  await open(`/scans/${scan}`)
  await page.getByRole('button', { name: /^Actions for / }).click()
  await page.getByRole('menuitem', { name: 'Results on branches' }).click()
  await heading('Branches')
  await checkEveryLook(page)
  await page.getByLabel('Find in the list').fill('CART')
  await page.getByRole('link', { name: 'release' }).waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'feature/cart' }).click()
  await heading('feature/cart')
  const newIssues = page.getByRole('table', { name: 'New issues' })
  await newIssues.getByText('https://preview.example.org/cart').waitFor()
  expect(await newIssues.getByRole('row').count()).toBe(2)
  expect(await page.getByRole('link', { name: /^Open the build/ }).getAttribute('href')).toBe(upload.buildUrl)
  await page.getByText('The page did not load').waitFor()
  await checkEveryLook(page)

  await page.getByRole('button', { name: 'Delete…' }).press('Enter')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete result' }).press('Enter')
  await closeMessage(page, 'Result deleted: feature/cart')
  await heading('Branches')
  await page.getByRole('link', { name: 'release' }).waitFor()
  expect(await page.getByRole('link', { name: 'feature/cart' }).count()).toBe(0)
  expect(await client<object>('GET', `/scans/${scan}`)).toEqual(scanBefore)
}
