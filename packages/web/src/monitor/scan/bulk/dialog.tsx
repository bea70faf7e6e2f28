import { plural } from '@lingui/core/macro'
import { Plural, useLingui } from '@lingui/react/macro'
import type { PresetId } from '@clearway/contract/kit/id.ts'
import { ScanTag } from '@clearway/contract/monitor/scan/schema.ts'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useState } from 'react'
import { toNamedOptions, Select } from '../../../kit/form/select.tsx'
import { Field } from '../../../kit/form/field.tsx'
import { PickList } from '../../../kit/form/pick-list.tsx'
import { useSession } from '../../user/model.ts'
import { presetNamesQuery, scanTagsQuery, scriptNamesQuery } from '../queries.ts'
import type { ScanSelectionBody } from '../list/selection.ts'
import { selectedScansQuery, useBulkScans } from './queries.ts'
import layout from '../../../kit/page/layout.module.css'
import { FormDialog } from '../../../kit/dialog/form-dialog.tsx'
import { TypedConfirmationField, useTypedConfirmation } from '../../../kit/dialog/typed-confirmation.tsx'
import { ErrorCard } from '../../../kit/page/states.tsx'
import { useToast } from '../../../kit/dialog/toast.tsx'

export function ScanBulkDialog({ kind, ...props }: BulkDialogProps & { kind: 'scripts' | 'preset' | 'tags' | 'delete' }) {
  if (kind === 'scripts') return <ScriptsDialog {...props} />
  if (kind === 'tags') return <TagsDialog {...props} />
  return kind === 'preset' ? <PresetDialog {...props} /> : <BulkDeleteDialog {...props} />
}

function ScriptsDialog({ body, onClose, onDone }: BulkDialogProps) {
  const { t } = useLingui()
  const { api: apiClient } = useSession()
  const { changeMutation } = useBulkScans()
  const showResult = useResultToast({ onClose, onDone })
  const { data: scriptNames } = useQuery(scriptNamesQuery(apiClient))
  const { data: selectionInfo } = useQuery(selectedScansQuery(apiClient, body))
  const [taskIds, setTaskIds] = useState<string[]>([])
  const [sessionScriptId, setSessionScriptId] = useState('')
  const [isMissing, setIsMissing] = useState(false)
  const getScriptsOfType = (type: 'TASK' | 'SESSION') =>
    (scriptNames ?? []).filter((script) => script.type === type).map(({ id, name }) => ({ id: id as string, name }))
  const submitScripts = () => {
    setIsMissing(taskIds.length === 0 && sessionScriptId === '')
    if (taskIds.length === 0 && sessionScriptId === '') return
    changeMutation.mutate(
      {
        selected: body,
        ...(taskIds.length > 0 ? { sharedTaskScripts: taskIds } : {}),
        ...(sessionScriptId ? { sharedSessionScript: sessionScriptId } : {}),
      },
      {
        onSuccess: (result) =>
          showResult(
            t`${plural(result.changed, { one: 'Scripts applied to # scan.', other: 'Scripts applied to # scans.' })}`,
            result,
          ),
      },
    )
  }
  return (
    <BulkFrame
      body={body}
      onClose={onClose}
      title={t`Apply shared scripts`}
      submitLabel={t`Apply`}
      isPending={changeMutation.isPending}
      failure={changeMutation.error}
      failureTitle={t`The scripts could not be applied.`}
      onSubmit={submitScripts}
    >
      <PickList legend={t`Shared user flows`} items={getScriptsOfType('TASK')} selectedIds={taskIds} onChange={setTaskIds} />
      <Field
        label={t`Shared session script`}
        hint={
          selectionInfo && selectionInfo.withSessionScript > 0 ? (
            <Plural
              value={selectionInfo.withSessionScript}
              one="# of them has a session script, which this one replaces."
              other="# of them have a session script, which this one replaces."
            />
          ) : undefined
        }
        error={isMissing ? t`Choose at least one script.` : undefined}
      >
        {(control) => (
          <Select
            {...control}
            value={sessionScriptId}
            options={toNamedOptions(t`None`, getScriptsOfType('SESSION'))}
            onChange={setSessionScriptId}
          />
        )}
      </Field>
    </BulkFrame>
  )
}

function PresetDialog({ body, onClose, onDone }: BulkDialogProps) {
  const { t } = useLingui()
  const { api: apiClient } = useSession()
  const { changeMutation } = useBulkScans()
  const showResult = useResultToast({ onClose, onDone })
  const { data: presetNames } = useQuery(presetNamesQuery(apiClient))
  const { data: selectionInfo } = useQuery(selectedScansQuery(apiClient, body))
  const [selectedPresetId, setSelectedPresetId] = useState('')
  const [isMissing, setIsMissing] = useState(false)
  const submitPreset = () => {
    setIsMissing(selectedPresetId === '')
    if (selectedPresetId === '') return
    changeMutation.mutate(
      { selected: body, presetId: selectedPresetId as PresetId },
      {
        onSuccess: (result) =>
          showResult(
            t`${plural(result.changed, { one: 'Preset assigned to # scan.', other: 'Preset assigned to # scans.' })}`,
            result,
          ),
      },
    )
  }
  return (
    <BulkFrame
      body={body}
      onClose={onClose}
      title={t`Assign a preset`}
      submitLabel={t`Assign`}
      isPending={changeMutation.isPending}
      failure={changeMutation.error}
      failureTitle={t`The preset could not be assigned.`}
      onSubmit={submitPreset}
    >
      <Field
        label={t`Preset`}
        hint={
          selectionInfo && selectionInfo.withPreset > 0 ? (
            <Plural
              value={selectionInfo.withPreset}
              one="# of them has a preset already, and keeps it."
              other="# of them have a preset already, and keep it."
            />
          ) : undefined
        }
        error={isMissing ? t`Choose a preset.` : undefined}
      >
        {(control) => (
          <Select
            {...control}
            autoFocus
            value={selectedPresetId}
            options={toNamedOptions(t`None`, presetNames)}
            onChange={setSelectedPresetId}
          />
        )}
      </Field>
    </BulkFrame>
  )
}

function TagsDialog({ body, onClose, onDone }: BulkDialogProps) {
  const { t } = useLingui()
  const { api: apiClient } = useSession()
  const { tagMutation } = useBulkScans()
  const showResult = useResultToast({ onClose, onDone })
  const existingTags = useQuery(scanTagsQuery(apiClient)).data?.content ?? []
  const [typedTags, setTypedTags] = useState('')
  const [tagsToRemove, setTagsToRemove] = useState<string[]>([])
  const [tagError, setTagError] = useState<string>()
  const submitTags = () => {
    const tagsToAdd = [...new Set(typedTags.split(',').map((tagName) => tagName.trim()))].filter(Boolean)
    if (tagsToAdd.length + tagsToRemove.length === 0) return setTagError(t`Enter a tag, or choose one to remove.`)
    if (tagsToAdd.some((tagName) => !ScanTag.safeParse(tagName).success)) return setTagError(t`A tag has at most 50 characters.`)
    tagMutation.mutate(
      { selected: body, add: tagsToAdd, remove: tagsToRemove },
      {
        onSuccess: ({ changed, skipped, ignored }) =>
          showResult(
            [
              t`${plural(changed, { one: 'Tags changed on # scan.', other: 'Tags changed on # scans.' })}`,
              ...(ignored > 0 ? [t`Skipped, because they have the maximum number of tags: ${ignored}.`] : []),
            ].join(' '),
            { changed, skipped },
          ),
      },
    )
  }
  return (
    <BulkFrame
      body={body}
      onClose={onClose}
      title={t`Tags`}
      submitLabel={t`Save tags`}
      isPending={tagMutation.isPending}
      failure={tagMutation.error}
      failureTitle={t`The tags could not be saved.`}
      onSubmit={submitTags}
    >
      <Field label={t`Add tags`} hint={t`Separate several with commas.`} error={tagError}>
        {(control) => (
          <input
            {...control}
            autoFocus
            autoComplete="off"
            value={typedTags}
            onChange={({ target }) => {
              setTypedTags(target.value)
              setTagError(undefined)
            }}
          />
        )}
      </Field>
      {existingTags.length > 0 && (
        <PickList
          legend={t`Remove tags`}
          items={existingTags.map(({ tag: name }) => ({ id: name, name }))}
          selectedIds={tagsToRemove}
          onChange={setTagsToRemove}
        />
      )}
    </BulkFrame>
  )
}

type BulkDialogProps = { body: ScanSelectionBody; onClose: () => void; onDone: () => void }

type BulkResult = { changed: number; skipped: number; ignored?: number }

/** Returns a function that reports changed and skipped scans in one message. */
function useResultToast({ onClose, onDone }: Pick<BulkDialogProps, 'onClose' | 'onDone'>) {
  const { t } = useLingui()
  const showToast = useToast()
  return (doneText: string, { skipped, ignored = 0 }: BulkResult) => {
    const resultSentences = [
      doneText,
      ...(ignored > 0
        ? [
            t`${plural(ignored, { one: '# already had a preset and was left alone.', other: '# already had a preset and were left alone.' })}`,
          ]
        : []),
      ...(skipped > 0
        ? [
            t`${plural(skipped, { one: '# was skipped: your role does not allow it.', other: '# were skipped: your role does not allow it.' })}`,
          ]
        : []),
    ]
    onDone()
    onClose()
    showToast(skipped > 0 || ignored > 0 ? 'caution' : 'confirmation', resultSentences.join(' '))
  }
}

type BulkFrameProps = Pick<BulkDialogProps, 'body' | 'onClose'> & {
  title: string
  submitLabel: string
  isDestructive?: boolean
  isPending: boolean
  failure: unknown
  failureTitle: string
  onSubmit: () => void
  children: ReactNode
}

/** Common frame of bulk dialogs. Shows how many scans are selected and how many of them may be changed. */
function BulkFrame(props: BulkFrameProps) {
  const { body, onClose, title, submitLabel, isDestructive = false, isPending, failure, failureTitle, onSubmit, children } = props
  const { api: apiClient } = useSession()
  const { data: selectionInfo } = useQuery(selectedScansQuery(apiClient, body))
  return (
    <FormDialog
      title={title}
      submitLabel={submitLabel}
      kind={isDestructive ? 'danger' : 'primary'}
      pending={isPending}
      onSubmit={onSubmit}
      onClose={onClose}
    >
      {selectionInfo && (
        <p>
          <Plural value={selectionInfo.count} one="# scan is selected." other="# scans are selected." />{' '}
          {selectionInfo.manageable < selectionInfo.count && (
            <Plural value={selectionInfo.manageable} one="You may change # of them." other="You may change # of them." />
          )}
        </p>
      )}
      {children}
      {failure !== null && <ErrorCard title={failureTitle} error={failure} />}
    </FormDialog>
  )
}

/** Deletes the selected scans after their count is typed; for a single scan, after its name is typed. */
function BulkDeleteDialog({ body, onClose, onDone }: BulkDialogProps) {
  const { t } = useLingui()
  const { api: apiClient } = useSession()
  const { deleteMutation } = useBulkScans()
  const showResult = useResultToast({ onClose, onDone })
  const { data: selectionInfo } = useQuery(selectedScansQuery(apiClient, body))
  const scanCount = selectionInfo?.count ?? 0
  // A single scan is confirmed by its name, several by their count.
  const singleScanName = scanCount === 1 ? selectionInfo?.scans[0]?.name : undefined
  const expectedText = singleScanName ?? String(scanCount)
  const mismatchMessage = singleScanName === undefined ? t`This is not the number of scans.` : t`This is not the name.`
  const typedConfirmation = useTypedConfirmation(selectionInfo ? expectedText : null)
  const submitDeletion = () => {
    if (!typedConfirmation.validate()) return
    deleteMutation.mutate(body, {
      onSuccess: (result) =>
        showResult(t`${plural(result.changed, { one: '# scan deleted.', other: '# scans deleted.' })}`, result),
    })
  }
  return (
    <BulkFrame
      body={body}
      onClose={onClose}
      title={t`Delete scans`}
      submitLabel={t`Delete`}
      isDestructive
      isPending={deleteMutation.isPending}
      failure={deleteMutation.error}
      failureTitle={t`The scans could not be deleted.`}
      onSubmit={submitDeletion}
    >
      <p>{t`Their runs, pages and issues are deleted, too. This cannot be undone.`}</p>
      <ul className={layout.tight}>
        {selectionInfo?.scans.slice(0, 5).map(({ id, name }) => (
          <li key={id} className={layout.break}>
            {name}
          </li>
        ))}
      </ul>
      {scanCount > 5 && <Plural value={scanCount - 5} one="and # more" other="and # more" />}
      <TypedConfirmationField
        confirmation={typedConfirmation}
        label={singleScanName === undefined ? t`Type the number of scans: ${expectedText}` : t`Type the name: ${expectedText}`}
        error={typedConfirmation.isMismatch ? mismatchMessage : undefined}
      />
    </BulkFrame>
  )
}
