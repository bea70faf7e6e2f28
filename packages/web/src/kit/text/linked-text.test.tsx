import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { expectAccessible, renderInPage } from '../../../test/show.tsx'
import { LinkedText } from './linked-text.tsx'

it('links the URLs in a text and nothing else', async () => {
  const text = 'See https://example.org/a?b=1, (http://localhost:80/x) and javascript:alert(1) <b>www.example.org</b>.'
  await renderInPage(
    <p data-testid="text">
      <LinkedText text={text} />
    </p>,
  )
  await expect.element(page.getByTestId('text')).toHaveTextContent(text)
  const links = [...document.querySelectorAll('p a')].map((link) => link.getAttribute('href'))
  expect(links).toEqual(['https://example.org/a?b=1', 'http://localhost:80/x'])
  await expectAccessible()
})

it('takes linear time', async () => {
  const started = performance.now()
  await renderInPage(<LinkedText text={`https://${')'.repeat(10_000)}x`} />)
  expect(performance.now() - started).toBeLessThan(5000)
})
