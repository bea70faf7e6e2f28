import { type ReactNode, useRef } from 'react'
import { Button } from '../control/button.tsx'

type FileButtonProps = {
  /** Value of the input's `accept` attribute: ".json,.yaml". */
  accept: string
  multiple?: boolean
  children: ReactNode
  onFiles: (files: readonly File[]) => void
}

/** Button that opens the file picker. The same file can be selected again. */
export function FileButton({ accept, multiple = false, children, onFiles }: FileButtonProps) {
  const fileInputRef = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button onPress={() => fileInputRef.current?.click()}>{children}</Button>
      <input
        ref={fileInputRef}
        hidden
        type="file"
        accept={accept}
        multiple={multiple}
        onChange={({ target }) => {
          const selectedFiles = [...(target.files ?? [])]
          target.value = ''
          if (selectedFiles.length > 0) onFiles(selectedFiles)
        }}
      />
    </>
  )
}
