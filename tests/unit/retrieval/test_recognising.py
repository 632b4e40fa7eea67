"""Objects of known libraries, shown by stand-ins; the libraries themselves are in tests/adapters."""

import subprocess
import sys

import pytest
from stand_ins import (
    BaseIndex,
    Collection,
    ComponentMeta,
    LangChainBaseRetriever,
    LlamaBaseRetriever,
    NodeWithScore,
    Runnable,
    VectorStore,
    class_of,
    haystack_document,
    langchain_document,
    node,
)

from pytest_retrieval.golden.model import Query
from pytest_retrieval.retrieval.calling import BadRetriever, answer, prepare
from pytest_retrieval.retrieval.recognising import recognise


def ask(retriever, **params):
    query = Query(id="q1", text='a "broken (query', params=params)
    return list(answer(prepare(retriever), query, 20, None).documents)


def seen(*args, **named):
    """What a library was asked with, as the metadata of a LangChain document."""
    return [langchain_document(None, id=" ".join([*map(str, args), *(f"{k}={v}" for k, v in named.items())]))]


def test_a_langchain_store_is_asked_for_the_depth_and_not_by_its_own_search():
    class Store(VectorStore):
        def search(self, query, search_type):
            raise AssertionError("not this one")

        def similarity_search(self, query, k=4, **named):
            return seen(query, k, **named)

    assert ask(Store()) == ['a "broken (query 20']
    assert ask(Store(), filter="new") == ['a "broken (query 20 filter=new']


def test_a_langchain_retriever_over_a_store_is_asked_for_the_depth_unless_it_is_set():
    class Retriever(LangChainBaseRetriever):
        def invoke(self, text, config=None, **named):
            return seen(text, **named)

    assert ask(Retriever()) == ['a "broken (query']
    assert ask(Retriever(search_kwargs={})) == ['a "broken (query k=20']
    assert ask(Retriever(search_kwargs={"k": 4})) == ['a "broken (query']
    assert ask(Retriever(search_kwargs={}), filter="new") == ['a "broken (query filter=new k=20']


def test_a_chain_that_ends_in_documents_is_a_retriever():
    class Chain(Runnable):
        def invoke(self, text):
            return [langchain_document("b"), langchain_document("a")]

    assert ask(Chain()) == ["b", "a"]


def test_a_llama_index_retriever_and_an_index_are_asked():
    class Retriever(LlamaBaseRetriever):
        def retrieve(self, text):
            return [NodeWithScore(node=node("n1", "D1"), score=0.5)][: self.top]

    class Index(BaseIndex):
        def as_retriever(self, similarity_top_k):
            return Retriever(top=similarity_top_k)

    assert ask(Retriever(top=0)) == []
    assert ask(Retriever(top=2)) == ["D1"]
    assert ask(Index()) == ["D1"]


def test_a_haystack_component_is_asked_by_keyword():
    def run(self, query, top_k=None, filters=None):
        return {"documents": [haystack_document(f"{query} {top_k} {filters}")]}

    component = class_of("my.project", "Search", metaclass=ComponentMeta, run=run)
    assert ask(component()) == ['a "broken (query 20 None']
    assert ask(component(), filters="new") == ['a "broken (query 20 new']
    without = class_of(
        "x",
        "Search",
        metaclass=ComponentMeta,
        run=lambda self, query: {"documents": [haystack_document(query)]},
    )
    assert ask(without()) == ['a "broken (query']


@pytest.mark.parametrize(
    ("run", "words"),
    [
        (lambda self, query_embedding, top_k: {}, "give it a text embedder: HaystackRetriever"),
        (lambda self, text: {}, r"run takes no query \(text\); the component is no retriever"),
    ],
)
def test_a_haystack_component_that_takes_no_text_is_refused_before_it_is_asked(run, words):
    component = class_of("haystack.components", "Search", metaclass=ComponentMeta, run=run)
    with pytest.raises(BadRetriever, match=words):
        prepare(component())


def test_a_chroma_collection_is_asked_for_ids_by_text():
    class Mine(Collection):
        def query(self, **asked):
            assert asked == {"query_texts": ['a "broken (query'], "n_results": 20, "include": ["metadatas"]}
            return {"ids": [["b", "a"]], "distances": None, "metadatas": [[None, None]]}

    assert ask(Mine()) == ["b", "a"]


@pytest.mark.parametrize(
    ("module", "name", "words"),
    [
        ("qdrant_client.client_base", "QdrantBase", r"return QdrantCollection\(client"),
        ("elasticsearch._sync.client._base", "BaseClient", r"client\.search\(index=\"docs\", query="),
        ("opensearchpy.client.client", "Client", r'client\.search\(index="docs", body={"query": {"match"'),
        ("chromadb.api", "BaseAPI", "get_collection"),
        ("haystack.core.pipeline.base", "PipelineBase", r"pipeline\.run"),
        ("llama_index.core.base.base_query_engine", "BaseQueryEngine", "return its retriever"),
        ("sentence_transformers.model", "SentenceTransformer", r"DenseIndex\(texts, model\)"),
        ("sentence_transformers.cross_encoder", "CrossEncoder", "CrossEncoderScorer"),
        ("rank_bm25", "BM25", "recipes.md"),
        ("faiss.swigfaiss", "Index", "takes vectors"),
    ],
)
def test_a_librarys_object_that_is_no_search_is_refused_with_what_to_return(module, name, words):
    base = class_of(module, name, search=lambda self, *args: [], __call__=lambda self, *args: [])
    derived = class_of(module, "Derived", base)
    with pytest.raises(BadRetriever, match=words):
        prepare(derived())


def test_a_class_of_ones_own_that_makes_a_librarys_object_a_search_is_asked():
    class Mine(class_of("rank_bm25", "BM25")):
        def search(self, text, k):
            return [f"{text} {k}"]

    assert ask(Mine()) == ['a "broken (query 20']


@pytest.mark.parametrize("value", [None, "bm25", ["a"], len, int, object()])
def test_anything_else_stays_what_it_is(value):
    assert recognise(value) is value


def test_no_adapter_and_no_library_is_imported_before_an_object_asks_for_it():
    code = (
        "import sys, pytest_retrieval.retrieval.calling as calling; calling.prepare(lambda text: []);"
        "print([name for name in sys.modules if 'adapters.' in name or name.partition('.')[0] in "
        "('numpy', 'langchain_core', 'llama_index', 'haystack', 'chromadb', 'qdrant_client')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=True)
    assert done.stdout.strip() == "[]"
