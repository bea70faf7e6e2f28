import { useMutation } from '../../../../kit/client/use-mutation.ts'
import { useLingui } from '@lingui/react/macro'
import type { ScanId } from '@clearway/contract/kit/id.ts'
import { useFormContext } from 'react-hook-form'
import { Button } from '../../../../kit/control/button.tsx'
import { Field } from '../../../../kit/form/field.tsx'
import { useFormats } from '../../../../kit/text/format.ts'
import layout from '../../../../kit/page/layout.module.css'
import { ErrorCard, Notice } from '../../../../kit/page/states.tsx'
import { getFieldErrorMessage } from '../../../../kit/client/problem-text.ts'
import { useSession } from '../../../user/model.ts'
import { hasStoredSecrets, toConnection } from '../model.ts'
import type { ScanForm } from '../values.ts'
import type { OpenedScan } from '../use-form.ts'
import { useSignInKindLabels } from '../../parts/sign-in-kind.ts'
import { Question, SelectField, TextField, TickField, useFieldError, useFieldTexts, useQuestionTexts } from './controls.tsx'
import { SignOutList } from './sign-outs.tsx'
import { SignInTry } from './sign-in-try.tsx'
import styles from './fields.module.css'

type SessionFieldsProps = { scanId: ScanId | null; opened: OpenedScan }

/** Sign-in of the scan with its try-out, and the check that detects an expired sign-in. */
export function SessionFields({ scanId, opened }: SessionFieldsProps) {
  const { t } = useLingui()
  const { watch } = useFormContext<ScanForm>()
  const kindLabels = useSignInKindLabels()
  const [authType, markMeans] = watch(['session.connection.authType', 'session.mark.means'])
  const [ownScripts, sharedSession] = watch(['scripts.own', 'scripts.sharedSession'])
  const hasScript = sharedSession !== '' || ownScripts.some(({ type }) => type === 'SESSION')
  return (
    <>
      {authType === '' && hasScript && (
        <Notice kind="info" title={t`A session script signs in`}>
          <p>{t`It is in step Scripts. Here you can try it.`}</p>
        </Notice>
      )}
      <SelectField
        name="session.connection.authType"
        options={[{ value: '', label: t`None` }, ...Object.entries(kindLabels).map(([value, label]) => ({ value, label }))]}
      />
      {authType === 'form' && <FormFields opened={opened} />}
      {authType === 'client_cer' && (
        <>
          <KeystoreFields opened={opened} />
          <ConnectionCheck scanId={scanId} />
        </>
      )}
      {authType !== '' && authType !== 'form' && authType !== 'client_cer' && <PasswordFields opened={opened} />}
      {(authType !== '' || hasScript) && <SignInTry scanId={scanId} />}
      <SelectField
        name="session.mark.means"
        options={[
          { value: '', label: t`Not looked for` },
          { value: 'signed-in', label: t`Shown only when signed in` },
          { value: 'signed-out', label: t`Shown only when signed out` },
        ]}
      />
      {markMeans !== '' && <MarkFields />}
      {scanId !== null && <SignOutList scanId={scanId} />}
    </>
  )
}

function FormFields({ opened }: Pick<SessionFieldsProps, 'opened'>) {
  const { t } = useLingui()
  const { watch } = useFormContext<ScanForm>()
  const hasCode = watch('session.connection.hasCode')
  const storedConnection = opened?.settings.session.connection
  const isCodeStored = storedConnection?.authType === 'form' && storedConnection.hasCode
  const codeTexts = useFieldTexts({ name: 'session.connection.codeSecret' })
  const storedHint = t`A value is stored. Leave the field empty to keep it.`
  return (
    <>
      <TextField name="session.connection.url" />
      <PasswordFields opened={opened} />
      <TickField name="session.connection.hasCode" />
      {hasCode && (
        <TextField
          name="session.connection.codeSecret"
          type="password"
          hint={isCodeStored ? `${codeTexts.hint} ${storedHint}` : codeTexts.hint}
        />
      )}
    </>
  )
}

function PasswordFields({ opened }: Pick<SessionFieldsProps, 'opened'>) {
  const { t } = useLingui()
  const { watch } = useFormContext<ScanForm>()
  const authType = watch('session.connection.authType')
  const areSecretsStored = hasStoredSecrets(opened?.settings.session, { authType })
  const usernameHints: Partial<Record<ScanForm['session']['connection']['authType'], string>> = {
    ntlm: t`domain\\user or user@domain`,
    ntlm_ss: t`domain\\user or user@domain`,
    kerberos: t`user@REALM, or the user alone for the server's own realm.`,
  }
  return (
    <div className={styles.pair}>
      <TextField name="session.connection.username" hint={usernameHints[authType]} />
      <TextField
        name="session.connection.password"
        type="password"
        {...(areSecretsStored ? { hint: t`A value is stored. Leave the field empty to keep it.` } : {})}
      />
    </div>
  )
}

function KeystoreFields({ opened }: Pick<SessionFieldsProps, 'opened'>) {
  const { t } = useLingui()
  const { setValue, watch } = useFormContext<ScanForm>()
  const keystoreError = useFieldError('session.connection.keystore')
  const { config: appConfig } = useSession()
  const { formatBytes } = useFormats()
  const [keystoreName, authType] = watch(['session.connection.keystoreName', 'session.connection.authType'])
  const areSecretsStored = hasStoredSecrets(opened?.settings.session, { authType })
  const chooseKeystore = async (file: File | undefined) => {
    if (!file) return
    setValue('session.connection.keystoreName', file.name, { shouldDirty: true })
    const keystoreType = /\.(jks|keystore)$/i.test(file.name) ? 'JKS' : 'PKCS12'
    setValue('session.connection.keystoreType', keystoreType, { shouldDirty: true })
    const keystore = await readAsBase64(file)
    setValue('session.connection.keystore', keystore, { shouldDirty: true, shouldValidate: true })
  }
  const maxKeystoreSize = formatBytes(appConfig.limits.keystoreBytes)
  const keystoreTexts = useFieldTexts({ name: 'session.connection.keystore' })
  return (
    <>
      <Field
        label={keystoreTexts.label}
        hint={
          keystoreName
            ? t`Chosen: ${keystoreName}. Choose another file to replace it.`
            : t`JKS or PKCS12, at most ${maxKeystoreSize}.`
        }
        error={keystoreError}
      >
        {(control) => (
          <input
            {...control}
            name="session.connection.keystore"
            type="file"
            accept=".p12,.pfx,.jks,.keystore"
            onChange={({ target }) => void chooseKeystore(target.files?.[0])}
          />
        )}
      </Field>
      <div className={styles.pair}>
        <SelectField
          name="session.connection.keystoreType"
          options={[
            { value: 'PKCS12', label: 'PKCS12' },
            { value: 'JKS', label: 'JKS' },
          ]}
        />
        <TextField
          name="session.connection.keystorePassword"
          type="password"
          {...(areSecretsStored ? { hint: t`A value is stored. Leave the field empty to keep it.` } : {})}
        />
      </div>
    </>
  )
}

const readAsBase64 = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const fileReader = new FileReader()
    fileReader.addEventListener('load', () => {
      const dataUrl = typeof fileReader.result === 'string' ? fileReader.result : ''
      resolve(dataUrl.replace(/^[^,]*,/, ''))
    })
    fileReader.addEventListener('error', () => reject(fileReader.error ?? new Error('unreadable')))
    fileReader.readAsDataURL(file)
  })

/** Validates the connection and its keystore on the server. */
function ConnectionCheck({ scanId }: Pick<SessionFieldsProps, 'scanId'>) {
  const { t } = useLingui()
  const { api: apiClient } = useSession()
  const { getValues, trigger } = useFormContext<ScanForm>()
  const checkMutation = useMutation({
    mutationFn: async () => {
      const connectionFields = ['username', 'password', 'keystore', 'keystorePassword'] as const
      if (!(await trigger(connectionFields.map((name) => `session.connection.${name}` as const)))) return null
      const typedConnection = toConnection(getValues('session.connection'))
      return (
        typedConnection && apiClient.validateSession({ body: { connection: typedConnection, ...(scanId ? { scanId } : {}) } })
      )
    },
  })
  const checkResult = checkMutation.data
  return (
    <div className={layout.tight}>
      <div>
        <Button pending={checkMutation.isPending} onPress={() => checkMutation.mutate()}>{t`Check the keystore`}</Button>
      </div>
      <div role="status">
        {checkResult?.success && <CheckSuccess certificate={checkResult.certificate} />}
        {checkResult?.success === false && (
          <Notice kind="error" title={t`The keystore cannot be used`}>
            <CheckFailure code={checkResult.code} params={checkResult.params} />
          </Notice>
        )}
      </div>
      {checkMutation.isError && <ErrorCard title={t`The keystore could not be checked.`} error={checkMutation.error} />}
    </div>
  )
}

function CheckSuccess({ certificate }: { certificate: { subject: string; validTo: string } | null }) {
  const { t } = useLingui()
  return (
    <Notice kind="info" title={t`The keystore opens`}>
      {certificate && (
        <p className={layout.break}>{t`Certificate of ${certificate.subject}, valid until ${certificate.validTo}`}</p>
      )}
    </Notice>
  )
}

function CheckFailure({ code, params }: { code: string; params: Record<string, string | number> }) {
  const { t } = useLingui()
  const failureMessages: Record<string, string> = {
    'invalid-format': t`Invalid keystore format!`,
    'wrong-password': t`Incorrect password!`,
    'other-key-password': t`The key in the keystore has a password of its own. Give both the same.`,
    'no-key': t`There is no private key in the keystore.`,
  }
  return <p>{failureMessages[code] ?? t(getFieldErrorMessage(code, params))}</p>
}

function MarkFields() {
  const { t } = useLingui()
  const markQuestion = useQuestionTexts('session.mark.kind')
  return (
    <Question {...markQuestion}>
      <div className={styles.pair}>
        <SelectField
          name="session.mark.kind"
          options={[
            { value: 'selector', label: t`An element (CSS selector)` },
            { value: 'text', label: t`A text on the page` },
            { value: 'url', label: t`Part of the URL` },
          ]}
        />
        <TextField name="session.mark.value" />
      </div>
    </Question>
  )
}
