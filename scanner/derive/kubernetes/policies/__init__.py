"""Network policies of every engine, translated to one model and evaluated; see `scanner/derive/kubernetes/network.py`."""
