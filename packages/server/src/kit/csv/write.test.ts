import { expect, it } from 'vitest'
import { maxCellLength, streamCsv } from './write.ts'

async function writeRow(...cells: (string | number | null)[]): Promise<string> {
  async function* batches() {
    yield [cells]
  }
  let text = ''
  for await (const chunk of streamCsv(['a'], batches())) text += chunk
  return text.split('\r\n').slice(1, -1).join('\r\n')
}

it('cuts cells that spreadsheets would break apart', async () => {
  expect(await writeRow('x'.repeat(100_001))).toBe('x'.repeat(maxCellLength))
  expect(await writeRow(`${'x'.repeat(maxCellLength - 1)}😀`)).toBe(`${'x'.repeat(maxCellLength - 1)}\ufffd`)
  expect(await writeRow('x'.repeat(maxCellLength), 1, null)).toBe(`${'x'.repeat(maxCellLength)},1,`)
})

it('writes no formula', async () => expect(await writeRow('=1+1', '-1', 'a', 1)).toBe(`"'=1+1","'-1",a,1`))
