import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { useState } from 'react'
import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { renderInPage } from '../../../test/show.tsx'
import { useMutation } from './use-mutation.ts'

type Call = { variables: unknown; answer: (value: string) => void; fail: (reason: Error) => void }

/** Renders a button whose click sends `variables`, and collects the calls that are sent. */
async function renderButton(getVariables: () => unknown) {
  const calls: Call[] = []
  function SendButton() {
    const mutation = useMutation({
      mutationFn: (variables: unknown) => new Promise<string>((answer, fail) => void calls.push({ variables, answer, fail })),
      retry: false,
    })
    return (
      <button type="button" onClick={() => mutation.mutate(getVariables())}>
        {mutation.status}
      </button>
    )
  }
  await renderInPage(
    <QueryClientProvider client={new QueryClient()}>
      <SendButton />
    </QueryClientProvider>,
  )
  return { calls, button: page.getByRole('button').element() as HTMLButtonElement }
}

it('sends one call for two clicks in one moment, and another one afterwards', async () => {
  const { calls, button } = await renderButton(() => ({ id: 1 }))
  button.click()
  button.click()
  await expect.poll(() => calls).toHaveLength(1)
  calls[0]!.answer('done')
  await expect.poll(() => button.textContent).toBe('success')
  button.click()
  await expect.poll(() => calls).toHaveLength(2)
})

it('can be sent again after a failure', async () => {
  const { calls, button } = await renderButton(() => 'same')
  button.click()
  await expect.poll(() => calls).toHaveLength(1)
  calls[0]!.fail(new Error('no'))
  await expect.poll(() => button.textContent).toBe('error')
  button.click()
  await expect.poll(() => calls).toHaveLength(2)
})

it('sends calls for different things side by side', async () => {
  let id = 0
  const { calls, button } = await renderButton(() => ({ id: id++ }))
  button.click()
  button.click()
  await expect.poll(() => calls.map(({ variables }) => variables)).toEqual([{ id: 0 }, { id: 1 }])
})

it('sends the last choice, even if it equals an earlier one that is still in progress', async () => {
  const choices = ['fixed', 'open', 'fixed']
  const { calls, button } = await renderButton(() => choices[calls.length])
  button.click()
  await expect.poll(() => calls).toHaveLength(1)
  button.click()
  await expect.poll(() => calls).toHaveLength(2)
  button.click()
  await expect.poll(() => calls.map(({ variables }) => variables)).toEqual(choices)
})

it('sends files once for two clicks in one moment', async () => {
  const file = new File(['a'], 'a.csv')
  const { calls, button } = await renderButton(() => ({ files: [file] }))
  button.click()
  button.click()
  await expect.poll(() => button.textContent).toBe('pending')
  expect(calls).toHaveLength(1)
})

it('sends different files, even if their names and sizes are equal', async () => {
  const { calls, button } = await renderButton(() => ({ files: [new File(['a'], 'a.csv')] }))
  button.click()
  button.click()
  await expect.poll(() => calls).toHaveLength(2)
})

/** Renders a button whose clicks send the numbers 1, 2, …, and that `remove` removes. Collects the reactions. */
async function renderReactingButton() {
  const reactions: string[] = []
  const pendingCalls: { answer: () => void; fail: () => void }[] = []
  function SendButton() {
    const mutation = useMutation({
      mutationFn: (_call: number) =>
        new Promise<void>((answer, fail) => void pendingCalls.push({ answer, fail: () => fail(new Error('no')) })),
      retry: false,
    })
    const send = () => {
      const call = pendingCalls.length + 1
      mutation.mutate(call, {
        onSuccess: () => reactions.push(`done ${call}`),
        onError: () => reactions.push(`failed ${call}`),
      })
    }
    return (
      <button type="button" onClick={send}>
        Send
      </button>
    )
  }
  function RemovableButton() {
    const [isRemoved, setIsRemoved] = useState(false)
    return (
      <>
        {!isRemoved && <SendButton />}
        <input aria-label="Remove" type="checkbox" onChange={() => setIsRemoved(true)} />
      </>
    )
  }
  await renderInPage(
    <QueryClientProvider client={new QueryClient()}>
      <RemovableButton />
    </QueryClientProvider>,
  )
  const send = async () => {
    const sentCount = pendingCalls.length
    await page.getByRole('button', { name: 'Send' }).click()
    await expect.poll(() => pendingCalls.length).toBe(sentCount + 1)
    return pendingCalls[sentCount]!
  }
  const remove = async () => {
    await page.getByLabelText('Remove').click()
    await expect.poll(() => page.getByRole('button', { name: 'Send' }).elements()).toEqual([])
  }
  return { send, remove, reactions }
}

it('reports the failure of each call, even of one before the last', async () => {
  const { send, reactions } = await renderReactingButton()
  const [first, second] = [await send(), await send()]
  second.answer()
  await expect.poll(() => reactions).toEqual(['done 2'])
  first.fail()
  await expect.poll(() => reactions).toEqual(['done 2', 'failed 1'])
})

it('reports a failure after the button is gone, and leaves the screen alone after a success', async () => {
  const { send, remove, reactions } = await renderReactingButton()
  const [first, second] = [await send(), await send()]
  await remove()
  first.answer()
  second.fail()
  await expect.poll(() => reactions).toEqual(['failed 2'])
})
