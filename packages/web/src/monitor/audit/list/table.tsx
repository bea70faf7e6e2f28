import { Plural, useLingui } from '@lingui/react/macro'
import type { ScanRole } from '@clearway/contract/kit/permission.ts'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import layout from '../../../kit/page/layout.module.css'
import { UnknownValue } from '../../../kit/page/states.tsx'
import { type Column, DataTable } from '../../../kit/table/table.tsx'
import { useFormats } from '../../../kit/text/format.ts'
import { useRoleNames } from '../../access/parts/role-names.tsx'
import { useRuleTitle } from '../../ruleset/queries-texts.ts'
import { getObjectName, listChanges } from '../entry/changes.ts'
import type { FoldedEntry } from '../entry/fold.ts'
import { actionLabels, eventLabels, nounLabels } from '../entry/labels.ts'
import styles from './table.module.css'
import type { AuditRow } from '../queries.ts'

type AuditTableProps = {
  rows: readonly FoldedEntry<AuditRow>[]
  names: ReadonlyMap<string, string>
  selectedKey: string | undefined
  isBusy: boolean
}

export function AuditTable({ names, rows, ...tableProps }: AuditTableProps) {
  const { t } = useLingui()
  const auditColumns = useAuditColumns(names)
  return <DataTable caption={t`Audit log`} columns={auditColumns} rows={rows} rowKey={({ entry }) => entry.id} {...tableProps} />
}

function useAuditColumns(names: AuditTableProps['names']): readonly Column<FoldedEntry<AuditRow>>[] {
  const { t } = useLingui()
  const { formatExactTime } = useFormats()
  return useMemo(
    () => [
      {
        key: 'at',
        heading: t`Date and time`,
        isSelfExplaining: true,
        renderCell: ({ entry: { at } }) => (
          <time className={styles.moment} dateTime={at}>
            {formatExactTime(at)}
          </time>
        ),
      },
      {
        key: 'actor',
        heading: t`User`,
        isSelfExplaining: true,
        renderCell: ({ entry: { actor, actorName, keyName } }) => (
          <>
            {/* Wraps only between words: broken names are hard to read, and the object column has room to spare. */}
            {actor === null ? <UnknownValue label={t`Not known`} /> : (actorName ?? actor)}
            {keyName !== null && <span className={`${layout.muted} ${layout.sm}`}> {t`by API key ${keyName}`}</span>}
          </>
        ),
      },
      { key: 'event', heading: t`Event`, isRowHeading: true, renderCell: (row) => <AuditEvent row={row} /> },
      {
        key: 'object',
        heading: t`Object`,
        isSelfExplaining: true,
        isOptional: true,
        renderCell: (row) => <AuditObject row={row} names={names} />,
      },
      {
        key: 'address',
        heading: t`IP address`,
        isSelfExplaining: true,
        renderCell: ({ entry: { address } }) => address ?? <UnknownValue label={t`Not known`} />,
      },
    ],
    [t, formatExactTime, names],
  )
}

/** The act and its kind of object. Opens the entry. */
function AuditEvent({ row: { entry, repeatCount } }: { row: FoldedEntry<AuditRow> }) {
  const { t } = useLingui()
  const eventLabel = eventLabels[`${entry.action} ${entry.noun}`]
  return (
    <>
      <Link
        id={`entry-${entry.id}`}
        className={`${styles.event} ${entry.action === 'deleted' && entry.noun !== 'share' ? styles.loss : ''}`}
        from="/admin/audit"
        to="/admin/audit"
        search={(previousSearch) => ({ ...previousSearch, entry: entry.number })}
        resetScroll={false}
      >
        {eventLabel ? t(eventLabel) : `${t(nounLabels[entry.noun])}: ${t(actionLabels[entry.action])}`}
      </Link>
      {repeatCount > 0 && (
        <div className={`${layout.muted} ${layout.sm}`}>
          <Plural value={repeatCount} one="and # more like it" other="and # more like it" />
        </div>
      )}
    </>
  )
}

type AuditObjectProps = { row: FoldedEntry<AuditRow> } & Pick<AuditTableProps, 'names'>

/** The object, and what changed. A sign-in names no object: the user is in the row. */
function AuditObject({ row: { entry, rules }, names }: AuditObjectProps) {
  const { t } = useLingui()
  const decisionReason = entry.after?.reason ?? entry.before?.reason
  const details = [useAccessText(entry, names), useRuleText(rules), typeof decisionReason === 'string' ? decisionReason : '']
  if (entry.noun === 'sign-in' && entry.subject === entry.actor) return <UnknownValue label={t`None`} />
  return (
    <>
      <span className={layout.break}>{getObjectName(entry, names)}</span>
      {details.filter(Boolean).map((text) => (
        <p key={text} className={`${layout.muted} ${layout.sm} ${layout.break}`}>
          {text}
        </p>
      ))}
      {entry.before && entry.after && <AuditChanges entry={entry} names={names} />}
    </>
  )
}

/** The team or person and the role, of entries about access. */
function useAccessText({ noun, before, after }: AuditRow, names: AuditTableProps['names']): string {
  const roleNames = useRoleNames()
  const fields = after ?? before
  const receiverId = fields?.team_id ?? fields?.person_id
  if (noun !== 'access' || typeof receiverId !== 'string') return ''
  const roleName = typeof fields?.role === 'string' && fields.role in roleNames ? roleNames[fields.role as ScanRole] : ''
  return [names.get(receiverId), roleName].filter(Boolean).join(' · ')
}

function useRuleText(rules: readonly string[]): string {
  const { i18n } = useLingui()
  const { formatList } = useFormats()
  const getRuleTitle = useRuleTitle(i18n.locale)
  return formatList(rules.map((rule) => getRuleTitle(rule, rule)))
}

const maxListedChanges = 2
const maxValueLength = 60
const isInstant = (value: string): boolean => /^\d{4}-\d\d-\d\dT\d\d:/.test(value)

function AuditChanges({ entry, names }: { entry: AuditRow } & Pick<AuditTableProps, 'names'>) {
  const { t } = useLingui()
  // The time of the entry says it.
  const changes = listChanges(entry).filter(({ path }) => path !== 'created_at')
  const remainingCount = changes.length - maxListedChanges
  const { formatExactTime } = useFormats()
  const formatValue = (value: string | undefined) => {
    if (value !== undefined && isInstant(value)) return formatExactTime(value)
    const text = value === undefined || value === 'null' ? '–' : (names.get(value) ?? value)
    return text.length > maxValueLength ? `${text.slice(0, maxValueLength)}…` : text
  }
  return (
    <ul className={`${layout.sm} ${layout.break}`}>
      {changes.slice(0, maxListedChanges).map(({ path, previousValue, newValue }) => (
        <li key={path}>
          {path === 'preset_id' ? (
            <span className={layout.muted}>{t(nounLabels.preset)}</span>
          ) : (
            <code translate="no" className={layout.muted}>
              {path}
            </code>
          )}{' '}
          {formatValue(previousValue)} <span aria-hidden="true">→</span>
          <span className={layout.hidden}>{t`changed to`}</span> {formatValue(newValue)}
        </li>
      ))}
      {remainingCount > 0 && (
        <li className={layout.muted}>
          <Plural value={remainingCount} one="and # more value" other="and # more values" />
        </li>
      )}
    </ul>
  )
}
