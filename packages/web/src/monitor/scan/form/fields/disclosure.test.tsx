import { FormProvider, useForm } from 'react-hook-form'
import { expect, it } from 'vitest'
import { userEvent } from 'vitest/browser'
import { expectAccessible, renderInPage } from '../../../../../test/show.tsx'
import { ErrorSummary } from '../../../../kit/form/error-summary.tsx'
import { createNewValues } from '../model.ts'
import type { ScanForm } from '../values.ts'
import { AdvancedFields } from './advanced.tsx'
import { ScopeFields } from './scope.tsx'

const wrong = 'This is no URL.'

type Changes = { sources?: Partial<ScanForm['sources']>; advanced?: Partial<ScanForm['advanced']> }
function Form({ changes }: { changes: Changes }) {
  const { sources, advanced, ...values } = createNewValues()
  const form = useForm<ScanForm>({
    defaultValues: { ...values, sources: { ...sources, ...changes.sources }, advanced: { ...advanced, ...changes.advanced } },
  })
  return (
    <FormProvider {...form}>
      <ErrorSummary faults={[{ field: 'sources.sitemaps', message: wrong }]} attempt={0} />
      <button type="button" onClick={() => form.setError('sources.sitemaps', { message: wrong })}>
        Check
      </button>
      <ScopeFields />
      <AdvancedFields section="scope" />
    </FormProvider>
  )
}

it('summarizes its values while closed', async () => {
  const initialView = await renderInPage(<Form changes={{}} />)
  await expect.element(initialView.getByText('Sitemaps and list of URLs None')).toBeVisible()
  await expect.element(initialView.getByText('Keyword rules None')).toBeVisible()
  await expect.element(initialView.getByText('Duplicate URLs Defaults')).toBeVisible()
  await initialView.unmount()
  const keywordRules = { mustHaveAll: [], mustHaveAny: ['sale'], mustNotHaveAny: [] }
  const changes = {
    sources: { sitemaps: ['https://a.test/1.xml', 'https://a.test/2.xml'] },
    advanced: { keywordRules, discardAnchors: false, hashRoutes: true },
  }
  const screen = await renderInPage(<Form changes={changes} />)
  await expect.element(screen.getByText('Sitemaps: 2', { exact: true })).toBeVisible()
  await expect.element(screen.getByText('Must have any of: 1', { exact: true })).toBeVisible()
  const anchors = 'Ignore what follows # in a URL: off, URLs with #/ or #! are pages of their own: on'
  await expect.element(screen.getByText(anchors)).toBeVisible()
  await expectAccessible()
})

it('opens on an error and on navigation to its field', async () => {
  const screen = await renderInPage(<Form changes={{ sources: { sitemaps: ['no'] } }} />, 320)
  const field = screen.getByLabelText(/^Sitemaps \(/)
  await expect.element(field).not.toBeVisible()
  await screen.getByRole('button', { name: 'Check' }).click()
  await expect.element(field).toBeVisible()
  await userEvent.click(screen.getByText('Sitemaps and list of URLs'))
  await expect.element(field).not.toBeVisible()
  await expect.element(screen.getByText('Needs a fix')).toBeVisible()
  await expectAccessible()
  await screen.getByRole('button', { name: wrong }).click()
  await expect.element(field).toHaveFocus()
  await expect.element(field).toBeVisible()
})
