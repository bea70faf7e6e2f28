import { defaultLimits } from '@clearway/contract/kit/limit.ts'
import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { renderInPage } from '../../../../test/show.tsx'
import { type Session, SessionContext } from '../../user/model.ts'
import { createNewValues } from './model.ts'
import { listErrors, useScanForm } from './use-form.ts'
import type { ScanForm } from './values.ts'

/** Renders a button that checks the values, and lists the messages. */
async function checkValues(initialValues: ScanForm) {
  function CheckedForm() {
    const { form } = useScanForm(initialValues, null)
    const lines = listErrors(form.formState.errors).map(({ field, message }) => `${field}: ${message}`)
    return (
      <>
        <button type="button" onClick={() => void form.trigger()}>
          Check
        </button>
        <ul>
          {lines.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      </>
    )
  }
  const session = { config: { limits: defaultLimits } } as unknown as Session
  await renderInPage(
    <SessionContext value={session}>
      <CheckedForm />
    </SessionContext>,
  )
  await page.getByRole('button', { name: 'Check' }).click()
  await expect.element(page.getByRole('listitem').first()).toBeVisible()
  return page
    .getByRole('listitem')
    .elements()
    .map(({ textContent }) => textContent)
}

it('says each message of a field once', async () => {
  const newValues = createNewValues()
  const urls = ['nonsense', 'ftp://a.example/', 'nonsense']
  const lines = await checkValues({ ...newValues, name: 'Name', urls, domains: ['b c', 'B c', 'b c'] })
  expect(lines).toEqual([
    'urls: nonsense – This is not a URL. Enter one like https://www.example.org/. ftp://a.example/ – The URL must start with http:// or https://.',
    'domains: b c – This is not a domain. Write it like example.org or *.example.org. B c – This is not a domain. Write it like example.org or *.example.org.',
  ])
})

it('names the empty fields of a row apart', async () => {
  const newValues = createNewValues()
  const components = [{ name: '', selectors: [] }]
  const lines = await checkValues({
    ...newValues,
    name: 'Name',
    urls: ['https://a.example/'],
    commonComponents: { ...newValues.commonComponents, components },
  })
  expect(lines).toEqual([
    'commonComponents.templateUrls: Fill in this field.',
    'commonComponents.components.0.name: Fill in this field.',
    'commonComponents.components.0.selectors: Fill in this field.',
  ])
})
