"""One warm LibreOffice driven over UNO, as conversion services keep it: documents one after the other.

Reads lines "SOURCE TARGET EXPORT-FILTER", answers each with "done" or "failed ...". Arguments: the port.
"""

import sys
import time

import uno
from com.sun.star.beans import PropertyValue

OPTIONS = {
    "UseTaggedPDF": True,
    "ExportBookmarks": True,
    "ExportFormFields": True,
    "ExportNotes": False,
    "UseLosslessCompression": False,
    "Quality": 90,
    "ReduceImageResolution": True,
    "MaxImageResolution": 300,
}


def properties(values):
    return tuple(PropertyValue(Name=name, Value=value) for name, value in values.items())


def connect(port):
    local = uno.getComponentContext()
    resolver = local.ServiceManager.createInstanceWithContext("com.sun.star.bridge.UnoUrlResolver", local)
    for _ in range(300):
        try:
            remote = resolver.resolve(
                f"uno:socket,host=127.0.0.1,port={port},tcpNoDelay=1;urp;StarOffice.ComponentContext"
            )
            return remote.ServiceManager.createInstanceWithContext("com.sun.star.frame.Desktop", remote)
        except Exception:
            time.sleep(0.1)
    raise SystemExit("soffice does not answer")


def convert(desktop, source, target, export_filter):
    load = properties({"Hidden": True, "ReadOnly": True})
    document = desktop.loadComponentFromURL(uno.systemPathToFileUrl(source), "_blank", 0, load)
    if document is None:
        raise RuntimeError("nothing was loaded")
    try:
        data = uno.Any("[]com.sun.star.beans.PropertyValue", properties(OPTIONS))
        store = properties({"FilterName": export_filter, "FilterData": data})
        document.storeToURL(uno.systemPathToFileUrl(target), store)
    finally:
        document.close(True)


def main():
    desktop = connect(sys.argv[1])
    print("ready", flush=True)
    for line in sys.stdin:
        try:
            convert(desktop, *line.rstrip("\n").split("\t"))
            print("done", flush=True)
        except Exception as error:
            print("failed", str(error).replace("\n", " "), flush=True)


main()
