import { plural } from '@lingui/core/macro'
import { Plural, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Button } from '../../../kit/button.tsx'
import { Dialog, DialogActions } from '../../../kit/dialog.tsx'
import layout from '../../../kit/layout.module.css'
import { ErrorCard } from '../../../kit/states.tsx'
import { useToast } from '../../../kit/toast.tsx'
import { useSession } from '../../user/model.ts'
import type { Selected } from '../queries-bulk.ts'
import { selectedScansQuery } from '../queries-bulk.ts'

export type BulkProps = { body: Selected; onClose: () => void; onDone: () => void }

type Result = { changed: number; skipped: number; ignored?: number }

/** One message for what was done and what was not. */
export function useTold({ onClose, onDone }: Pick<BulkProps, 'onClose' | 'onDone'>) {
  const { t } = useLingui()
  const toast = useToast()
  return (done: string, { skipped, ignored = 0 }: Result) => {
    const words = [
      done,
      ...(ignored > 0
        ? [
            t`${plural(ignored, { one: '# already had a preset and was left alone.', other: '# already had a preset and were left alone.' })}`,
          ]
        : []),
      ...(skipped > 0
        ? [
            t`${plural(skipped, { one: '# was left alone: your role does not allow it.', other: '# were left alone: your role does not allow it.' })}`,
          ]
        : []),
    ]
    onDone()
    onClose()
    toast(skipped > 0 || ignored > 0 ? 'caution' : 'confirmation', words.join(' '))
  }
}

type FrameProps = Pick<BulkProps, 'body' | 'onClose'> & {
  title: string
  submit: string
  danger?: boolean
  pending: boolean
  failure: unknown
  failed: string
  onSubmit: () => void
  children: ReactNode
}

/** What every bulk dialog says first: how many scans, and how many of them may be changed. */
export function BulkFrame(props: FrameProps) {
  const { body, onClose, title, submit, danger = false, pending, failure, failed, onSubmit, children } = props
  const { t } = useLingui()
  const { api } = useSession()
  const { data } = useQuery(selectedScansQuery(api, body))
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        noValidate
        className={layout.stack}
        onSubmit={(event) => {
          event.preventDefault()
          if (!pending) onSubmit()
        }}
      >
        {data && (
          <p>
            <Plural value={data.count} one="# scan is selected." other="# scans are selected." />{' '}
            {data.manageable < data.count && (
              <Plural
                value={data.manageable}
                one="You may change # of them."
                other="You may change # of them."
              />
            )}
          </p>
        )}
        {children}
        {failure !== null && <ErrorCard title={failed} error={failure} />}
        <DialogActions>
          <Button onPress={onClose}>{t`Cancel`}</Button>
          <Button kind={danger ? 'danger' : 'primary'} type="submit" pending={pending}>
            {submit}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
