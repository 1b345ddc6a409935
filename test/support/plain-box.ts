// A secret box without a key, for tests that do not care how secrets are stored: it stores and reads them as they are.
import { createSecretBox } from '../../src/secrets/secret-box.ts'

export const plainBox = createSecretBox([])
