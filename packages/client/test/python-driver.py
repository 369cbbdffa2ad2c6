"""Runs the shared table of behaviours through the installed Python client, and prints what happened as JSON."""

import asyncio
import json
import sys

from kiln_client import AsyncKiln, ConversionFailedError, Kiln, KilnError, verify_webhook


def outcome_of(error: KilnError) -> dict:
    word = error.reason if isinstance(error, ConversionFailedError) else None
    return {"code": error.code, "status": error.status, "word": word, "class": type(error).__name__}


def act(kiln: Kiln, case: dict) -> dict:
    try:
        if "read" in case:
            return {"status": kiln.get(case["read"])["status"]}
        text = kiln.convert_bytes(case["text"].encode(), case["pair"], options=case.get("options")).decode()
        return {"text": text}
    except KilnError as error:
        return outcome_of(error)


async def act_async(kiln: AsyncKiln, case: dict) -> dict:
    try:
        if "read" in case:
            return {"status": (await kiln.get(case["read"]))["status"]}
        data = await kiln.convert_bytes(case["text"].encode(), case["pair"], options=case.get("options"))
        return {"text": data.decode()}
    except KilnError as error:
        return outcome_of(error)


def verify(case: dict) -> dict:
    try:
        return {"event": verify_webhook(case["body"], case["headers"], case["secret"])}
    except KilnError as error:
        return outcome_of(error)


def main() -> None:
    given = json.load(sys.stdin)
    url, keys = given["url"], given["keys"]
    key_of = lambda case: keys[case.get("key", "good")]  # noqa: E731
    sync = [act(Kiln(url, key_of(case)), case) for case in given["cases"]]

    async def all_together() -> list:
        clients = [(AsyncKiln(url, key_of(case)), case) for case in given["cases"]]
        return await asyncio.gather(*(act_async(kiln, case) for kiln, case in clients))

    kiln = Kiln(url, keys["good"])
    job = kiln.convert(given["file"], given["output"])
    print(
        json.dumps(
            {
                "sync": sync,
                "async": asyncio.run(all_together()),
                "webhooks": [verify(case) for case in given["webhooks"]],
                "report": kiln.report(job["jobId"])["status"],
                "pairs": len(kiln.formats()),
                "described": kiln.describe("md-to-html")["pair"],
                "jobs": kiln.usage()["currentWindow"]["account"]["jobs"],
            }
        )
    )


main()
