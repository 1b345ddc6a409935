// Sample receivers that check a callback's signature with a library made for it.

export type VerifierLanguage = 'TypeScript' | 'Python'
export const verifierLanguages: readonly VerifierLanguage[] = ['TypeScript', 'Python']

export const verifierCode: Record<VerifierLanguage, string> = {
  TypeScript: `import { verifyWebhook } from 'dailies-client'

// The raw bytes as they came; throws WebhookNotVerified when they are not from Dailies.
export const receive = (headers: Record<string, string>, body: Uint8Array) =>
  verifyWebhook(process.env.WEBHOOK_SECRET!, headers, body)`,
  Python: `from standardwebhooks import Webhook  # pip install standardwebhooks

def receive(secret, headers, body):
    """body is the raw bytes as they came; raises when they are not from Dailies."""
    return Webhook(secret).verify(body, headers)`,
}
