import { useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { DownloadFileName } from '../client/use-download.ts'
import { MenuButton } from '../menu/menu.tsx'

/** What a list can be exported as: its name, and how the file ends. */
export type ExportFormats<Format extends string> = Record<Format, { name: string; ending: string }>

type Props<Format extends string> = {
  /** How the file's name begins. */
  file: string
  formats: ExportFormats<Format>
  onExport: (format: Format, file: DownloadFileName) => void
  children: ReactNode
}

/** A button whose menu exports a list in one of some formats. */
export function ExportMenu<Format extends string>({ file, formats, onExport, children }: Props<Format>) {
  const { t } = useLingui()
  const entries = (Object.keys(formats) as Format[]).map((format) => {
    const { name, ending } = formats[format]
    return {
      id: format,
      text: name,
      label: name,
      onAction: () => onExport(format, { name: file, extension: ending }),
    }
  })
  return (
    <MenuButton
      label={t`Export`}
      button={{ small: true, iconEnd: 'down' }}
      groups={[{ id: 'formats', entries }]}
    >
      {children}
    </MenuButton>
  )
}
