import type { faultOfStyle } from '@kiln/converter/house-style'
import { createAccounts } from '../accounts/accounts.ts'
import { createHouseStyles } from '../house-styles/house-styles.ts'
import type { Webhooks } from '../webhooks/webhooks.ts'
import { createAccountView } from './account-view.ts'
import { createWebConversions, type WebConversionsParts } from './conversions.ts'
import { createPasskeys } from './passkeys.ts'
import { createWebSignIn, type SignInParts } from './sign-in.ts'
import { createVisitors } from './visitor.ts'

// The web app for account holders: the functions that its routes (http/app) call. Loaded with the first request.

export interface WebAppParts extends SignInParts, WebConversionsParts {
  webhooks: Webhooks
  faultOfStyle: typeof faultOfStyle
  freeJobsPerMonth: number
}

export function createWebApp(parts: WebAppParts) {
  const signIn = createWebSignIn(parts)
  return {
    signIn,
    passkeys: createPasskeys({ ...parts, signIn }),
    visitors: createVisitors({ ...parts, signIn }),
    conversions: createWebConversions(parts),
    account: createAccountView({ ...parts, accounts: createAccounts(parts.database) }),
    styles: createHouseStyles(parts.database, parts.faultOfStyle),
  }
}

export type WebApp = ReturnType<typeof createWebApp>
