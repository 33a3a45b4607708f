import { newId, type Clock } from '../../../core/index.ts';
import type { CallableVersion } from '../../catalogue/contract.ts';
import type { PreparedCall, ReceivedCall } from '../contract.ts';
import type { PayloadReducer } from '../payload/reducer.ts';

/** Makes a call that passed its checks ready to be sent. Throws `StoreUnavailable` when its policy cannot be read. */
export async function preparedCall(
  { payloads, clock }: { readonly payloads: Pick<PayloadReducer, 'policyOf'>; readonly clock: Clock },
  { principal, request, context, answerHeaders }: ReceivedCall,
  callable: CallableVersion,
  params: PreparedCall['params'],
): Promise<PreparedCall> {
  const payloadPolicy = await payloads.policyOf(callable.algorithm.id);
  const json = { input: JSON.stringify(request.input_data), params: JSON.stringify(params) };
  const id = newId(clock.now());
  // Named one by one: V8 makes a new hidden class on every call for each field that follows a spread.
  return { principal, request, context, answerHeaders, id, callable, params, json, payloadPolicy };
}
