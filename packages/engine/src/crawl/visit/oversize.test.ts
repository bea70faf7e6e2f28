import { expect, it } from 'vitest'
import { html, poolOfFile, siteOfFile, tryScan } from '../../../test/harness.ts'

const pool = poolOfFile()
// It moves for as long as a first look waits, which it ends with few elements; the second sees many.
const site = siteOfFile(() => ({
  '/': html(
    'Grows',
    `<p></p><div></div><script>
      setInterval(() => document.querySelector('p').append('x'), 30)
      setTimeout(() => { document.querySelector('div').innerHTML = '<i></i>'.repeat(200_000) }, 12_000)
    </script>`,
  ),
}))

it('a page that grows beyond all measure after it was looked at is not looked at again', async () => {
  const { pages } = await tryScan(pool, site)
  expect(pages['/']).toMatchObject({ kind: 'failed', reason: 'too-large' })
  expect(pages['/']).toHaveProperty('detail', expect.stringContaining('up to 150000 are analyzed'))
})
