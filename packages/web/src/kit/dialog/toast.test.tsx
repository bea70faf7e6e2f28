import { useState } from 'react'
import { expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectAccessible, renderInPage } from '../../../test/show.tsx'
import { ApiError } from '../client/client.ts'
import { ToastProvider, ToastRegion, useToast } from './toast.tsx'

function Screen() {
  const showToast = useToast()
  return (
    <>
      <ToastRegion />
      <button type="button" onClick={() => (showToast('error', 'The run could not start.'), showToast('info', 'Second.'))}>
        Start
      </button>
    </>
  )
}

it('moves the focus to an error, shows one message at a time and restores the focus', async () => {
  await renderInPage(
    <ToastProvider>
      <Screen />
    </ToastProvider>,
  )
  await userEvent.click(page.getByRole('button', { name: 'Start' }))
  await expect.element(page.getByRole('group', { name: 'Error: The run could not start.' })).toHaveFocus()
  expect(document.body.textContent).not.toContain('Second.')
  await expectAccessible()
  await userEvent.keyboard('{Tab}{Enter}')
  await expect.element(page.getByRole('group', { name: 'Note: Second.' })).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Start' })).toHaveFocus()
})

function Ignoring() {
  const showToast = useToast()
  const [ignored, setIgnored] = useState(false)
  const ignore = () => {
    setIgnored(true)
    showToast('confirmation', 'Issue ignored.', () => setIgnored(false))
  }
  return (
    <>
      <ToastRegion />
      <div style={{ height: '3000px' }} />
      <button type="button" onClick={ignore}>
        Ignore
      </button>
      <p>{ignored ? 'Ignored' : 'Open'}</p>
    </>
  )
}

it('confirms without moving the focus or the page, and can undo', async () => {
  await renderInPage(
    <ToastProvider>
      <Ignoring />
    </ToastProvider>,
  )
  await userEvent.click(page.getByRole('button', { name: 'Ignore' }))
  const initialScrollY = window.scrollY
  expect(initialScrollY).toBeGreaterThan(100)
  await expect.element(page.getByRole('group', { name: 'Done: Issue ignored.' })).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Ignore' })).toHaveFocus()
  expect(window.scrollY).toBe(initialScrollY)
  await expectAccessible()
  await userEvent.click(page.getByRole('button', { name: 'Undo' }))
  await expect.element(page.getByText('Open')).toBeVisible()
  expect(window.scrollY).toBe(initialScrollY)
  await expect.element(page.getByRole('button', { name: 'Ignore' })).toHaveFocus()
})

function Working() {
  const showToast = useToast()
  const [done, setDone] = useState<readonly string[]>([])
  const act = (name: string) => () => {
    setDone((current) => [...current, name])
    showToast('confirmation', `${name} fixed.`, () => setDone((current) => current.filter((item) => item !== name)))
  }
  return (
    <>
      <ToastRegion />
      {['First', 'Second', 'Third'].map((name) => (
        <button key={name} type="button" onClick={act(name)}>
          {name}
        </button>
      ))}
      <p data-testid="done">{done.join()}</p>
    </>
  )
}

it('offers to undo the latest action, not a queued one', async () => {
  await renderInPage(
    <ToastProvider>
      <Working />
    </ToastProvider>,
  )
  for (const name of ['First', 'Second', 'Third']) await userEvent.click(page.getByRole('button', { name, exact: true }))
  await expect.element(page.getByRole('group', { name: 'Done: Third fixed.' })).toBeVisible()
  await userEvent.click(page.getByRole('button', { name: 'Undo' }))
  await expect.element(page.getByTestId('done')).toHaveTextContent('First,Second')
  await expect.poll(() => page.getByRole('group').elements().length).toBe(0)
})

function Deleting() {
  const showToast = useToast()
  const [open, setOpen] = useState(true)
  return (
    <>
      <ToastRegion />
      {open && (
        <form
          onSubmit={(event) => {
            event.preventDefault()
            setOpen(false)
            showToast('confirmation', 'Deleted.')
          }}
        >
          <input aria-label="Name" />
        </form>
      )}
    </>
  )
}

it('appears after the focused field is removed', async () => {
  await renderInPage(
    <ToastProvider>
      <Deleting />
    </ToastProvider>,
  )
  await userEvent.click(page.getByRole('textbox', { name: 'Name' }))
  await userEvent.keyboard('x{Enter}')
  await expect.element(page.getByRole('group', { name: 'Done: Deleted.' })).toHaveFocus()
})

it('closes by itself after the focus has passed through it', async () => {
  await renderInPage(
    <ToastProvider>
      <Ignoring />
    </ToastProvider>,
  )
  await userEvent.click(page.getByRole('button', { name: 'Ignore' }))
  const message = page.getByRole('group', { name: 'Done: Issue ignored.' })
  await expect.element(message).toBeVisible()
  page.getByRole('button', { name: 'Close message' }).element().focus()
  page.getByRole('button', { name: 'Ignore' }).element().focus()
  await expect.element(message, { timeout: 12_000 }).not.toBeInTheDocument()
})

function Failing() {
  const showToast = useToast()
  const problem = { requestId: '01a21d24-e44f', code: 'server-error', title: 'Failed', status: 500 }
  return (
    <>
      <ToastRegion />
      <button
        type="button"
        onClick={() => showToast('error', 'The server failed.', { error: new ApiError(500, problem as never) })}
      >
        Fail
      </button>
    </>
  )
}

it('copies the id of the request that failed', async () => {
  const copied: string[] = []
  const { clipboard } = navigator
  const writeText = clipboard.writeText.bind(clipboard)
  clipboard.writeText = (text) => Promise.resolve(void copied.push(text))
  await renderInPage(
    <ToastProvider>
      <Failing />
    </ToastProvider>,
  )
  await userEvent.click(page.getByRole('button', { name: 'Fail' }))
  await userEvent.click(page.getByRole('button', { name: 'Copy request ID' }))
  await expect.element(page.getByRole('button', { name: 'Copied' })).toBeVisible()
  clipboard.writeText = writeText
  expect(copied).toEqual(['01a21d24-e44f'])
  await expectAccessible()
})
