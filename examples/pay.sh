#!/usr/bin/env bash
# From a token to a payment that is PAID, with curl alone. Start `npm start` in another terminal first; then: examples/pay.sh
# Needs curl and, to read JSON, the node that runs ratewire. The payment goes to the sandbox: no bank is involved.
set -euo pipefail
DATA_DIR=${DATA_DIR:-data}

# The value of a field in the JSON on stdin: `field balance` or `field 0.account_number`.
field() { node -e 'const at = process.argv[1].split("."); console.log(at.reduce((value, name) => value?.[name], JSON.parse(require("fs").readFileSync(0))))' "$1"; }
demo() { field "$1" <"$DATA_DIR/demo-client.json"; }
BASE_URL=${BASE_URL:-http://$(demo rest)}

# Ends with what the service says is wrong, when it says so.
call() { curl --silent --show-error --fail-with-body --max-time 10 -H "authorization: Bearer $TOKEN" "$@" || { echo >&2; exit 1; }; }
post() { call -H 'content-type: application/json' -d "$2" "$BASE_URL$1"; }

echo '1. A token for the client key and its secret'
TOKEN=$(curl --silent --show-error --fail-with-body --max-time 10 -X POST "$BASE_URL/api/v1/authentication" \
  -H "client_key: $(demo client_key)" -H "client_secret: $(demo client_secret)" | field token)

echo '2. The rate of this moment'
call "$BASE_URL/api/v1/bookfx/rate?sell_currency=USD&buy_currency=GBP"
echo

# Unique for ever: sent again, a request gives its first answer, or names the payment that there is.
RUN=$(date +%Y%m%d-%H%M%S)-$$

echo '3. Dollars into the pounds that are to be paid'
post /api/v1/bookfx/currency/create \
  "{\"request_id\":\"fx-$RUN\",\"description\":\"Invoice 417\",\"buy_currency\":\"GBP\",\"buy_amount\":500,\"sell_currency\":\"USD\"}"
echo

PAYMENT=$(cat <<JSON
{
  "request_id": "pay-$RUN",
  "transaction_number": "INV-417-$RUN",
  "destination_currency": "GBP",
  "destination_amount": 500,
  "statement_narrative": "Invoice 417",
  "remitter_name": "Acme Trading Pte Ltd",
  "remitter_account_type": "Company",
  "remitter_identification_type": "Company Registration No",
  "remitter_identification_number": "201812345K",
  "remitter_country_code": "SG",
  "remitter_address": "1 Raffles Place",
  "remitter_city": "Singapore",
  "beneficiary_name": "Sharma Textiles Ltd",
  "beneficiary_account_type": "Company",
  "beneficiary_country_code": "GB",
  "beneficiary_account_number": "66374958",
  "routing_code_type_1": "SORT CODE",
  "routing_code_value_1": "089999"
}
JSON
)

echo '4. Is everything there that this corridor needs?'
post /api/v1/payments/validate "$PAYMENT"
echo

echo '5. Pay'
PAYMENT_ID=$(post /api/v1/payments/create "$PAYMENT" | field payment_id)
echo "$PAYMENT_ID"

echo '6. Read until it is PAID'
for _ in $(seq 60); do
  STATUS=$(call "$BASE_URL/api/v1/payments/id/$PAYMENT_ID" | field status)
  echo "$STATUS"
  case $STATUS in
    PAID) exit 0 ;;
    COMPLIANCE_REJECTED | RETURNED | CANCELLED | USER_REJECTED) exit 1 ;;
  esac
  sleep 0.5
done
echo "$PAYMENT_ID is not PAID after half a minute: read it again later" >&2
exit 1
