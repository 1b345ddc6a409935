// The request that the form stands for, as code.
import { useState } from 'preact/hooks'
import { baseUrl } from '../../api.ts'
import type { CreateTaskBody } from '../../api-types.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { CodeBlock, Segments } from '../../ui/parts.tsx'
import { type Language, languages, requestCode } from './request-code.ts'

export function RequestPanel({ body, onOpen }: { body: CreateTaskBody; onOpen(): void }) {
  const [language, setLanguage] = useState<Language>('TypeScript')
  const code = requestCode(language, baseUrl(), body)
  return (
    <details class="request" onToggle={(event) => event.currentTarget.open && onOpen()}>
      <summary>The request as code</summary>
      <div class="row spread wrap">
        <Segments
          label="Language"
          value={language}
          options={languages.map((value) => ({ value, label: value }))}
          onChange={setLanguage}
        />
        <CopyButton text={code} />
      </div>
      <CodeBlock code={code} label={`The request in ${language}`} />
    </details>
  )
}
