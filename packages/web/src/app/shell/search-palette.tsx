import { Plural, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Autocomplete } from 'react-aria-components/Autocomplete'
import { Header } from 'react-aria-components/Header'
import { Input } from 'react-aria-components/Input'
import { ListBox, ListBoxItem, ListBoxSection } from 'react-aria-components/ListBox'
import { SearchField } from 'react-aria-components/SearchField'
import { getProblemMessage } from '../../kit/client/problem-text.ts'
import { useDebouncedValue } from '../../kit/client/use-after-pause.ts'
import { Dialog } from '../../kit/dialog/dialog.tsx'
import field from '../../kit/form/field.module.css'
import layout from '../../kit/page/layout.module.css'
import { searchQuery } from '../../monitor/scan/queries.ts'
import { useSession } from '../../monitor/user/model.ts'
import styles from './search-palette.module.css'
import { type DestinationGroup, useFound, useLists, useScreens, useViews } from './use-destinations.ts'

const shortest = 2
const pauseMs = 200

/** The list below is always open; which one it is, the autocompletion says. */
const combobox = { role: 'combobox', 'aria-expanded': true, 'aria-haspopup': 'listbox' } as const

/** Looks for scans, pages, rules, people, screens and actions while one types; arrows choose, Enter goes there. */
export function SearchPalette({ onClose }: { onClose: () => void }) {
  const { t, i18n } = useLingui()
  const { api } = useSession()
  const [typed, setTyped] = useState('')
  const q = typed.trim()
  const searched = useDebouncedValue(q, pauseMs)
  const search = useQuery({ ...searchQuery(api, searched), enabled: searched.length >= shortest })
  const screens = useScreens()
  const lists = useLists(q)
  const views = useViews(q)
  const found = useFound(searched.length >= shortest ? search.data : undefined)
  const lower = (text: string) => text.toLocaleLowerCase(i18n.locale)
  const matching = screens.entries.filter(({ text }) => lower(text).includes(lower(q)))
  // With the results, not before them: what is chosen while they come stays where it is.
  const isDone = q === searched && !search.isFetching
  const groups = [
    { ...screens, entries: matching },
    // All of them would be in the way of what one has not typed yet.
    ...(q === '' ? [] : [views]),
    ...found,
    ...(q.length >= shortest && isDone ? [lists] : []),
  ].filter(({ entries }) => entries.length > 0)
  const results = [{ entries: matching }, ...(q === '' ? [] : [views]), ...found].reduce(
    (sum, { entries }) => sum + entries.length,
    0,
  )
  const open = (key: string) => {
    const [groupId, ...rest] = key.split(' ')
    const chosen = groups.find(({ id }) => id === groupId)?.entries.find(({ id }) => id === rest.join(' '))
    onClose()
    void chosen?.go()
  }
  // Enter without a choice takes the first.
  const openFirst = () => {
    const [group] = groups
    if (group && !document.querySelector('[role=option][data-focused]'))
      open(`${group.id} ${group.entries[0]?.id}`)
  }
  return (
    <Dialog title={t`Search`} onClose={onClose}>
      <Autocomplete inputValue={typed} onInputChange={setTyped}>
        <SearchField aria-label={t`Search everything`} autoFocus onSubmit={openFirst}>
          <Input
            {...combobox}
            className={`${field.control} ${styles.input}`}
            placeholder={t`Scan, page, rule, person or screen`}
            maxLength={200}
          />
        </SearchField>
        <p role="status" className={`${layout.muted} ${layout.sm}`}>
          {search.isError ? (
            t(getProblemMessage(search.error))
          ) : !isDone ? (
            t`Searching…`
          ) : (
            <>
              <Plural value={results} one="# result" other="# results" />
              {search.data?.complete === false && (
                <> · {t`There are too many pages to look through all of them.`}</>
              )}
            </>
          )}
        </p>
        <Results groups={groups} onOpen={open} />
      </Autocomplete>
    </Dialog>
  )
}

function Results({ groups, onOpen }: { groups: readonly DestinationGroup[]; onOpen: (key: string) => void }) {
  const { t } = useLingui()
  return (
    <ListBox
      aria-label={t`Results`}
      shouldFocusWrap
      className={styles.results ?? ''}
      onAction={(key) => onOpen(String(key))}
      renderEmptyState={() => t`Nothing matches.`}
    >
      {groups.map((group) => (
        <ListBoxSection key={group.id} id={group.id} className={styles.section ?? ''}>
          <Header className={styles.title ?? ''}>{group.title}</Header>
          {group.entries.map((entry) => (
            <ListBoxItem
              key={entry.id}
              id={`${group.id} ${entry.id}`}
              textValue={entry.text}
              className={styles.item ?? ''}
            >
              <span className={layout.break}>{entry.text}</span>
              {entry.detail !== undefined && (
                <span className={`${layout.muted} ${layout.sm} ${layout.break}`}>{entry.detail}</span>
              )}
            </ListBoxItem>
          ))}
        </ListBoxSection>
      ))}
    </ListBox>
  )
}
