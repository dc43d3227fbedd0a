"""Models cut down to what is asked: the same questions, the same answers, less memory."""

from __future__ import annotations

import boto3
import pytest
from botocore.loaders import create_loader

from collectors.aws.client import BotoClient
from collectors.aws.collect import asked_methods
from collectors.aws.models import Models, slim
from collectors.table import Call

LIST = Call("kms", "list_keys", take="Keys")


def whole(service):
    return create_loader().load_service_model(service, "service-2")


@pytest.mark.parametrize("service", ["ec2", "s3", "sagemaker", "apigateway", "iam"])
def test_what_is_left_reaches_all_it_needs(service):
    from botocore.model import ServiceModel

    methods = asked_methods()[service]
    model, full = ServiceModel(slim(whole(service), methods)), ServiceModel(whole(service))
    assert len(model.operation_names) == len(methods) < len(full.operation_names)

    def walk(shape, other, seen):
        if shape is None or shape.name in seen:
            return
        seen.add(shape.name)
        assert (shape.type_name, shape.serialization) == (other.type_name, other.serialization)
        if shape.type_name == "structure":
            assert list(shape.members) == list(other.members)
            for name in shape.members:
                walk(shape.members[name], other.members[name], seen)
        elif shape.type_name == "list":
            walk(shape.member, other.member, seen)
        elif shape.type_name == "map":
            walk(shape.value, other.value, seen)

    for name in model.operation_names:
        one, two = model.operation_model(name), full.operation_model(name)
        walk(one.input_shape, two.input_shape, set())
        walk(one.output_shape, two.output_shape, set())
        assert [e.name for e in one.error_shapes] == [e.name for e in two.error_shapes]


def test_every_service_of_the_tables_can_be_cut(moto_server):
    client = BotoClient(boto3.Session(region_name="us-east-1"), moto_server, models=Models(asked_methods()))
    for service, methods in asked_methods().items():
        made = client.client(service, "us-east-1")
        assert set(made.meta.method_to_api_mapping) == set(methods), service
        model = made.meta.service_model
        assert all(model.shape_for(name).type_name for name in model.shape_names), service


def test_only_what_was_asked_lately_is_kept(moto_server):
    models = Models({"kms": ["list_keys"]}, most=2)
    client = BotoClient(boto3.Session(region_name="us-east-1"), moto_server, models=models)
    kms = client.client("kms", "us-east-1")
    assert client.client("kms", "us-east-1") is kms
    assert [k.meta.service_model.service_name for k in (client.client("sqs", "us-east-1"), client.client("sns", "us-east-1"))] == [
        "sqs",
        "sns",
    ]
    assert client.client("kms", "us-east-1") is not kms, "it was let go, and is made again"
    assert set(models.use("kms")) == {"sns", "kms"}


def test_a_client_that_is_let_go_answers_to_the_end(moto_server):
    boto3.client("kms", region_name="us-east-1", endpoint_url=moto_server).create_key()
    client = BotoClient(boto3.Session(region_name="us-east-1"), moto_server, models=Models(asked_methods(), most=1))
    pages = client.pages(LIST, {}, "us-east-1")
    client.client("sqs", "us-east-1")
    assert next(pages)[0]["Keys"]
