import { useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { DownloadFileName } from '../client/use-download.ts'
import { MenuButton } from '../menu/menu.tsx'

/** Export formats with their label and file extension. */
export type ExportFormats<Format extends string> = Record<Format, { name: string; extension: string }>

type ExportMenuProps<Format extends string> = {
  fileNamePrefix: string
  formats: ExportFormats<Format>
  onExport: (format: Format, file: DownloadFileName) => void
  /** As small as the other buttons of a bar above a list. */
  small?: boolean
  children: ReactNode
}

export function ExportMenu<Format extends string>(props: ExportMenuProps<Format>) {
  const { fileNamePrefix, formats, onExport, small = false, children } = props
  const { t } = useLingui()
  const menuEntries = (Object.keys(formats) as Format[]).map((exportFormat) => {
    const { name: formatName, extension: fileExtension } = formats[exportFormat]
    return {
      id: exportFormat,
      text: formatName,
      label: formatName,
      onAction: () => onExport(exportFormat, { name: fileNamePrefix, extension: fileExtension }),
    }
  })
  return (
    <MenuButton label={t`Export`} button={{ small, iconEnd: 'down' }} groups={[{ id: 'formats', entries: menuEntries }]}>
      {children}
    </MenuButton>
  )
}
