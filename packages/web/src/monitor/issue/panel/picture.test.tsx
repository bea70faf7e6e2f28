import { expect, it } from 'vitest'
import type { IssueDetail } from '@clearway/contract/monitor/issue/schema.ts'
import type { MonitorApi } from '../../user/model.ts'
import { IssuePicture } from './picture.tsx'
import { renderPart } from '../../../../test/show.tsx'

const api = {
  readIssuePicture: async () => {
    const canvas = new OffscreenCanvas(336, 160)
    canvas.getContext('2d')?.fillRect(0, 0, 100, 100)
    return canvas.convertToBlob({ type: 'image/jpeg' })
  },
} as unknown as MonitorApi
const wholeBox = { x: 0, y: 0, width: 336, height: 160 }
const createIssue = (rule: string, pictureBox: typeof wholeBox) =>
  ({ id: 'i', rule, selector: '#menu', pageUrl: 'https://site.example/boats', pictureBox }) as unknown as IssueDetail

it.each([
  ['drive-focus-visible', wholeBox, 'without the keyboard focus on the left, with it on the right', 0],
  ['drive-focus-visible', { ...wholeBox, width: 80 }, 'framed', 2],
  ['drive-reflow', wholeBox, 'framed', 2],
] as const)('names what the picture of %s shows, and frames only an element within it', async (rule, box, words, frameCount) => {
  await renderPart(() => <IssuePicture issue={createIssue(rule, box)} run={undefined} />, api, 640)
  await expect
    .poll(() => document.querySelector('svg[role="img"]')?.getAttribute('aria-label'), { timeout: 10_000 })
    .toContain(words)
  expect(document.querySelectorAll('svg[role="img"] rect')).toHaveLength(frameCount)
})
