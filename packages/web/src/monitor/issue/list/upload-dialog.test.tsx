import type { ScanId } from '@clearway/contract/kit/id.ts'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { renderInPage } from '../../../../test/show.tsx'
import { type Session, SessionContext } from '../../user/model.ts'
import { UploadDialog } from './upload-dialog.tsx'

const scanId = '0198c6f2-7d1c-7a53-9b1e-2f60a4d8c111' as ScanId
const scan = { id: scanId, name: 'Shop', rights: { curate: true }, lastRun: { number: 7 } }

/** Renders the dialog for all scans, or for one run. Each request takes a token first; none comes, so an upload stays in progress. */
function renderDialog(target: { scanId?: ScanId; runNumber?: number }, onRequest: () => void = () => undefined) {
  const session = {
    api: { listScans: () => Promise.resolve({ content: [scan], page: { totalPages: 1 } }) },
    config: { limits: { uploadFiles: 10, uploadBytes: 1_000_000 } },
    deps: {
      baseUrl: '',
      realm: 'monitor',
      getToken: () => {
        onRequest()
        return new Promise(() => undefined)
      },
    },
  } as unknown as Session
  return renderInPage(
    <QueryClientProvider client={new QueryClient()}>
      <SessionContext value={session}>
        <UploadDialog scanId={target.scanId} runNumber={target.runNumber} onClose={() => undefined} />
      </SessionContext>
    </QueryClientProvider>,
  )
}

it('says which scans are listed, and forgets an error once a scan is chosen', async () => {
  await renderDialog({})
  await expect.element(page.getByText('Scans without a run are not listed.')).toBeVisible()
  await userEvent.upload(page.getByLabelText('Files', { exact: true }), new File(['{}'], 'results.json'))
  await page.getByRole('button', { name: 'Upload 1 file' }).click()
  await expect.element(page.getByText('Fill in this field.')).toBeVisible()
  await page.getByLabelText('Scan', { exact: true }).selectOptions('Shop')
  await expect.element(page.getByText('Fill in this field.')).not.toBeInTheDocument()
})

it('uploads a file once if its form is submitted twice in one moment', async () => {
  let requestCount = 0
  await renderDialog({ scanId, runNumber: 7 }, () => requestCount++)
  await expect.element(page.getByRole('option', { name: 'Shop' })).toBeInTheDocument()
  await userEvent.upload(page.getByLabelText('Files', { exact: true }), new File(['{}'], 'results.json'))
  await expect.element(page.getByRole('button', { name: 'Upload 1 file' })).toBeVisible()
  const form = document.querySelector('form')!
  form.requestSubmit()
  form.requestSubmit()
  await expect.element(page.getByRole('button', { name: 'Uploading…' })).toBeVisible()
  expect(requestCount).toBe(1)
})
