"""Reads coordination messages as a program without coordgen would, checks the
types of what it read, and writes each anew from its own values. It knows version 1 of
the protocol, and ignores what is new, as the reference does."""

import json
import sys
from datetime import datetime

TIMES = {"timestamp", "initiated_at", "expected_completion_at", "assigned_at"}
TYPES = {
    "instance_id": str, "target_instance_id": str, "source_instance_id": str,
    "intent": str, "subscriptions": list, "in_flight_count": int,
    "is_leader": bool, "load_factor": float, "metadata": dict, "priority": int,
}
KEYS = {
    "heartbeat": ["instance_id", "timestamp", "subscriptions", "in_flight_count", "is_leader", "load_factor"],
    "shutdown": ["instance_id", "intent", "initiated_at", "expected_completion_at", "subscriptions",
                 "in_flight_count", "metadata"],
    "assignment": ["target_instance_id", "subscriptions", "source_instance_id", "assigned_at", "priority"],
}
NEW = {"schema_version", "incarnation", "term"}

# Not by lines of text: a message may hold characters that Python breaks lines at.
for line in sys.stdin.buffer:
    kind, _, text = line.partition(b" ")
    message = json.loads(text)
    fault = None
    keys = KEYS[kind.decode()]
    if list(message)[:len(keys)] != keys or not NEW.issuperset(list(message)[len(keys):]):
        fault = f"keys {list(message)}"
    message = {key: message[key] for key in keys if key in message}
    for key, value in message.items():
        if key in TIMES:
            time = datetime.fromisoformat(value)
            if time.tzinfo is None:
                fault = f"{key} has no offset: {value}"
            message[key] = time.isoformat()
        elif type(value) is not TYPES[key]:
            fault = f"{key} is a {type(value).__name__}"
    print(fault or json.dumps(message), flush=True)
