"""Follows a chain with web3.py: a line for each block, with the endpoint that told of it.

    pip install -r examples/python/requirements.txt
    python examples/python/blocks.py [URL] [BLOCKS]

Take that endpoint down while it runs: nothing is raised and no block is missing.
"""

import sys
import time

import requests
from web3 import HTTPProvider, Web3

url = sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8787"
blocks = int(sys.argv[2]) if len(sys.argv) > 2 else 20

by = None


def remember(response, *_args, **_kwargs):
    global by
    by = response.headers.get("x-breakwater-endpoint", by)


session = requests.Session()
session.hooks["response"].append(remember)
# Breakwater asks other endpoints by itself, so nothing is left to repeat here.
provider = HTTPProvider(url, session=session, exception_retry_configuration=None)
w3 = Web3(provider)

print(f"chain {w3.eth.chain_id} at {url}", flush=True)
number = w3.eth.block_number
last = number + blocks
while number < last:
    if w3.eth.block_number < number:
        time.sleep(0.5)
        continue
    block = w3.eth.get_block(number)
    fee = Web3.from_wei(block.get("baseFeePerGas", 0), "gwei")
    print(f"block {number} from {by}: {len(block['transactions'])} transactions, {fee} gwei", flush=True)
    number += 1
