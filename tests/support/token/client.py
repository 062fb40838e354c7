"""Pays through the facilitator whose URL is the first argument; payload and requirements on stdin."""

import json
import sys

from x402.http import FacilitatorConfig, HTTPFacilitatorClientSync

payment = json.load(sys.stdin)
payload = json.dumps(payment["paymentPayload"]).encode()
requirements = json.dumps(payment["paymentRequirements"]).encode()

client = HTTPFacilitatorClientSync(FacilitatorConfig(url=sys.argv[1], timeout=10))
supported = client.get_supported()
verified = client.verify_from_bytes(payload, requirements)
try:
    settled = client.settle_from_bytes(payload, requirements)
    outcome = {"success": settled.success, "reason": settled.error_reason}
except Exception as error:  # whatever it makes of an answer that it cannot read
    outcome = {"error": type(error).__name__}
print(json.dumps({"kinds": len(supported.kinds), "valid": verified.is_valid, **outcome}))
