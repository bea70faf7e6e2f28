import type { ScanId } from '@clearway/contract/kit/id.ts'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { renderInPage } from '../../../../test/show.tsx'
import { type Session, SessionContext } from '../../user/model.ts'
import { UploadDialog } from './upload-dialog.tsx'

const scanId = '0198c6f2-7d1c-7a53-9b1e-2f60a4d8c111' as ScanId
const scan = { id: scanId, name: 'Shop', rights: { curate: true }, lastRun: { number: 7 } }

it('uploads a file once if its form is submitted twice in one moment', async () => {
  let requestCount = 0
  const session = {
    api: { listScans: () => Promise.resolve({ content: [scan], page: { totalPages: 1 } }) },
    config: { limits: { uploadFiles: 10, uploadBytes: 1_000_000 } },
    deps: {
      baseUrl: '',
      realm: 'monitor',
      // Each request takes a token first. None comes, so the upload stays in progress.
      getToken: () => {
        requestCount++
        return new Promise(() => undefined)
      },
    },
  } as unknown as Session
  await renderInPage(
    <QueryClientProvider client={new QueryClient()}>
      <SessionContext value={session}>
        <UploadDialog scanId={scanId} runNumber={7} onClose={() => undefined} />
      </SessionContext>
    </QueryClientProvider>,
  )
  await expect.element(page.getByRole('option', { name: 'Shop' })).toBeInTheDocument()
  await userEvent.upload(page.getByLabelText('Files', { exact: true }), new File(['{}'], 'results.json'))
  await expect.element(page.getByRole('button', { name: 'Upload 1 file' })).toBeVisible()
  const form = document.querySelector('form')!
  form.requestSubmit()
  form.requestSubmit()
  await expect.element(page.getByRole('button', { name: 'Uploading…' })).toBeVisible()
  expect(requestCount).toBe(1)
})
