import { expect, it } from 'vitest'
import { renderInPage } from '../../../test/show.tsx'
import { ApiError } from '../client/client.ts'
import { PictureFault } from './picture-fault.tsx'

it('distinguishes a lost picture from a temporary failure', async () => {
  const lost = await renderInPage(<PictureFault error={new ApiError(404, null)} />)
  await expect.element(lost.getByText('This picture is no longer available.')).toBeVisible()
  const late = await renderInPage(<PictureFault error={new ApiError(503, null)} />)
  await expect.element(late.getByText('The picture could not be loaded.')).toBeVisible()
})
